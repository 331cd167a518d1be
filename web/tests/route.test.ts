import { expect, test } from "vitest";
import { href, isBeside, parse, PAGES } from "../src/lib/route";

test.each([
  ["", "lobby", null],
  ["#", "lobby", null],
  ["#/", "lobby", null],
  ["#/room/classic-points", "room", "classic-points"],
  ["#/join/7K3MWXYZ", "join", "7K3MWXYZ"],
  ["#/profile", "profile", null],
  ["#/profile/12", "profile", "12"],
  ["#/game/two_player/more", "game", "two_player"],
  ["#/watch/a%2Fb", "watch", "a/b"],
  ["#/watch", "watch", null],
  ["#/room", "lobby", null],
  ["#/room/%", "lobby", null],
  ["#/nowhere/1", "lobby", null],
])("the address %s is the page %s of %s", (hash, page, value) => {
  expect(parse(hash)).toEqual({ page, value });
});

test("what is written can be read", () => {
  for (const page of PAGES) expect(parse(href(page, "a b/ü"))).toEqual({ page, value: "a b/ü" });
  expect(parse(href("lobby"))).toEqual({ page: "lobby", value: null });
});

test("a table is not left for a page to read", () => {
  expect(isBeside(parse("#/leaderboard"))).toBe(true);
  expect(isBeside(parse("#/room/x"))).toBe(false);
});

test("the rules are of a game, and can be read at the table", () => {
  expect(parse("#/rules/happy")).toEqual({ page: "rules", value: "happy" });
  expect(parse("#/rules")).toEqual({ page: "lobby", value: null });
  expect(isBeside(parse("#/rules/happy"))).toBe(true);
});
