/* What is known of the player and of the rooms over HTTP; asked anew when it may have changed. */

import type { PurseMessage } from "../protocol";
import { api, Refused, type Profile, type RoomInfo } from "./api";
import { StoredText } from "./stored.svelte";

class Player {
  profile = $state.raw<Profile | null>(null);
  rooms = $state.raw<readonly RoomInfo[]>([]);
  /** The game that was played last. */
  readonly game = new StoredText("dizhu.game", "classic");

  /** Ask again. What cannot be had stays as it was: all of it is only shown. */
  async refresh(): Promise<void> {
    if (this.rooms.length === 0) void this.enter();
    this.profile = await api.profile(null).catch(() => this.profile);
  }

  /** Ask for the rooms, which nobody has to be known for. */
  async enter(): Promise<void> {
    this.rooms = await api.rooms().catch(() => this.rooms);
  }

  /** Undefined while it is not known: who has never looked for a table has not been given his first beans yet. */
  beans(purse: PurseMessage | null): number | undefined {
    const { profile } = this;
    return purse?.beans ?? (profile === null || (profile.beans === 0 && profile.tallies.length === 0) ? undefined : profile.beans);
  }

  /** Where "play now" leads: the room for points of the last game, or else the first one. */
  get nearest(): RoomInfo | null {
    const points = this.rooms.filter(({ kind }) => kind === "points");
    return points.find(({ variant }) => variant === this.game.value) ?? points[0] ?? this.rooms[0] ?? null;
  }
}

/** The code of what went wrong, for a sentence about it. */
export function codeOf(error: unknown): string {
  return error instanceof Refused ? error.code : "internal";
}

export const player = new Player();
