/* Names of rooms, and what is told of them beforehand. */

import type { RoomInfo } from "./api";
import type { Speech } from "./words";

/** The host's own name for a room, or that of its kind. */
export function roomName(speech: Speech, { kind, level, name }: RoomInfo): string {
  return name ?? speech.open(`room.${kind === "points" ? kind : (level ?? kind)}`, kind);
}

/** The conditions of a room, each in a few words. */
export function conditions(speech: Speech, room: RoomInfo): string[] {
  const told: string[] = [];
  if (room.kind === "points") told.push(speech.t("room.free"));
  else {
    told.push(speech.t("room.coefficient", { count: room.coefficient }), speech.t("room.fee", { count: room.fee }));
    told.push(speech.t("room.need", { count: room.need }));
    if (room.threshold > 0) told.push(speech.t("room.threshold", { count: room.threshold }));
  }
  const { cap } = room.options;
  if (typeof cap === "number") told.push(speech.t("room.cap", { times: cap }));
  return told;
}
