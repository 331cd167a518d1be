import { expect, test } from "vitest";
import { seatState } from "../src/lib/seats";
import { ENGLISH, room } from "./fixtures";

test("the hidden landlord knows himself, also with a seat below the open landlord's", () => {
  const hidden = room({ marked: "7h", first: 2, landlords: [0, 2], revealed: false });
  expect(seatState(ENGLISH, hidden, 0).hidden).toBe(true);
  expect(seatState(ENGLISH, hidden, 2).hidden).toBe(false);
  const open = room({ marked: "7h", first: 0, landlords: [0], revealed: false });
  expect(seatState(ENGLISH, open, 0).hidden).toBe(false);
});
