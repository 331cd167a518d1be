import { expect, test } from "vitest";
import type { RoomInfo } from "../src/lib/api";
import { changed, choicesOf, optionName, valueName } from "../src/lib/options";
import type { OptionInfo } from "../src/protocol";
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

const OPTIONS: OptionInfo[] = [
  { name: "nobody", values: ["first", "redeal"], least: null, most: null },
  { name: "cap", values: [null], least: 1, most: 100 },
];

test("only rules that are not as usual are told when a table is opened", () => {
  expect(changed(OPTIONS, { nobody: "redeal", cap: null })).toEqual({ nobody: "redeal" });
  expect(changed(OPTIONS, { nobody: "first", cap: 16, spring: false })).toEqual({ cap: 16 });
});

test("of the values that the server tells all are offered, of very many numbers a few", () => {
  expect(OPTIONS.map(choicesOf)).toEqual([["first", "redeal"], [null, 8, 16, 32, 64]]);
  expect(valueName(ENGLISH, "cap", null)).toBe("no limit");
  expect(valueName(ENGLISH, "cap", 16)).toBe("16");
  expect(optionName(ENGLISH, "cap")).toBe("Multiplier at most");
});
