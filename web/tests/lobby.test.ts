import { expect, test } from "vitest";
import type { RoomInfo } from "../src/lib/api";
import { changed, optionsOf, valuesOf } from "../src/lib/options";
import { conditions, roomName } from "../src/lib/rooms";
import { ENGLISH } from "./fixtures";

const ROOM: RoomInfo = {
  id: "happy-beginner", variant: "happy", options: { cap: 32 }, kind: "beans", level: "beginner", name: null,
  coefficient: 10, fee: 5, need: 200, threshold: 500, fill: 12,
};

test("what a room asks for is told beforehand", () => {
  expect(conditions(ENGLISH, ROOM)).toEqual([
    "10 beans a point",
    "5 beans a hand for the house",
    "You need 200 beans",
    "Doubling from 500 beans on",
    "Multiplier at most ×32",
  ]);
  const free = conditions(ENGLISH, { ...ROOM, kind: "points", options: {} });
  expect(free).toEqual(["Counts for your title; no beans at stake"]);
});

test("a room has the host's name, or that of its kind", () => {
  expect(roomName(ENGLISH, ROOM)).toBe("Beginners");
  expect(roomName(ENGLISH, { ...ROOM, kind: "points", level: null })).toBe("Points room");
  expect(roomName(ENGLISH, { ...ROOM, name: "Tea House" })).toBe("Tea House");
});

test("only rules that are not as usual are told when a table is opened", () => {
  expect(changed("classic", { nobody: "redeal", cap: 16 })).toEqual({ cap: 16 });
  expect(changed("two_player", { nobody: "redeal", max_robs: 4 })).toEqual({ nobody: "redeal" });
  expect(changed("classic", { spring: false })).toEqual({});
  expect(valuesOf("two_player", "nobody")).toEqual(["first", "redeal"]);
  expect(optionsOf("unknown")).toEqual([]);
});
