/* Which sounds belong to what has just happened at a table. */

import { isBomb, isRocket, rankText } from "./cards";
import { asked, type Dealt } from "./reducer";
import { ALARM_AT } from "./seats";

export type Sound =
  | "deal" | "lift" | "play" | "pass" | "answer" | "bomb" | "rocket" | "spring" | "turn" | "two" | "one" | "win" | "lose" | "phrase";

/** What is heard between two states of a table; `decks`: of the game, for its rocket. */
export function heard(before: Dealt, after: Dealt, decks: number): Sound[] {
  const [old, view] = [before.view, after.view];
  const sounds: Sound[] = [];
  if (after.hand !== before.hand) sounds.push("deal");
  else if (view.answers.length > old.answers.length) sounds.push("answer");
  else if (view.history.length > old.history.length) {
    const play = rankText(view.history.at(-1)?.cards ?? []);
    sounds.push(play === "" ? "pass" : isRocket(play, decks) ? "rocket" : isBomb(play) ? "bomb" : "play");
    const few = Math.min(...view.counts.filter((count, seat) => count > 0 && count <= ALARM_AT && count < (old.counts[seat] ?? 0)));
    if (view.result === null && few <= ALARM_AT) sounds.push(few === 1 ? "one" : "two");
  }
  const { result } = view;
  if (result !== null && old.result === null) {
    if (result.factors.some(({ name }) => name.endsWith("spring"))) sounds.push("spring");
    if (after.seat !== null) sounds.push(result.winners.includes(after.seat) ? "win" : "lose");
  }
  if (asked(after) && (!asked(before) || view.phase !== old.phase)) sounds.push("turn");
  return sounds;
}
