/* The one line above the buttons: what is asked, or what the table waits for. */

import { canPass, nothingBeats } from "./hint";
import { questionText } from "./question";
import type { Dealt } from "./reducer";
import { combinationName, seatName, type Speech } from "./words";

export function prompt(speech: Speech, room: Dealt, asked: boolean): string {
  const { view } = room;
  if (view.phase === "over") return speech.t("question.over");
  if (view.phase === "redeal") return speech.t("table.redeal");
  if (!asked) return waiting(speech, room);
  const question = questionText(view);
  if (question !== null) return speech.t(question.key, question.values);
  if (nothingBeats(view.legal)) return speech.t("question.nothing");
  if (view.table === null || !canPass(view.legal)) return speech.t("question.lead");
  const name = seatName(speech, room.seats, view.table.seat, room.seat);
  return speech.t("question.follow", { name, combination: combinationName(speech, view.table) });
}

function waiting(speech: Speech, room: Dealt): string {
  const { turn } = room.view;
  if (room.seat !== null && room.seats[room.seat]?.auto === true) return speech.t("table.auto.notice");
  const [only] = turn;
  if (only === undefined) return speech.t("question.dealing");
  if (turn.length > 1) return speech.t("question.others");
  return speech.t("question.waiting", { name: seatName(speech, room.seats, only, room.seat) });
}
