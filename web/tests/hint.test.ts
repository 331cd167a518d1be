import { describe, expect, test } from "vitest";
import { Advice, canPass, hints, nothingBeats, plays, within } from "../src/lib/hint";

const legal = (...texts: string[]): string[] => texts.map((text) => (text === "pass" ? text : `play ${text}`));
const hand = (text: string): string[] => [...text];

describe("following", () => {
  test("the same kind comes lowest first, then a part of a four, then bombs, the rocket last", () => {
    const answers = legal("55", "66", "88", "8888", "BR", "pass");
    expect(hints(answers, hand("55668888BR"))).toEqual(["55", "66", "88", "8888", "BR"]);
  });

  test("a single card does not come out of a pair while there is another", () => {
    expect(hints(legal("4", "5", "pass"), hand("445"))).toEqual(["5", "4"]);
  });

  test("if only a four or the jokers could follow, breaking them is shown", () => {
    expect(hints(legal("88", "8888", "pass"), hand("38888"))).toEqual(["88", "8888"]);
    expect(hints(legal("B", "R", "BR", "pass"), hand("3BR"))).toEqual(["B", "R", "BR"]);
  });

  test("of plays with kickers those that break least come first", () => {
    expect(hints(legal("5556", "5557", "4555", "6667", "pass"), hand("4455566677"))[0]).toBe("5556");
    expect(hints(legal("3777", "4777", "5777", "pass"), hand("3345777"))).toEqual(["4777", "5777", "3777"]);
  });

  test("of bombs those come first that are whole", () => {
    expect(hints(legal("5555", "55555", "BBR", "pass"), hand("355555BBR"))).toEqual(["55555", "BBR", "5555"]);
  });

  test("nothing to show when only a pass is open", () => {
    expect(hints(legal("pass"), hand("345"))).toEqual([]);
    expect(nothingBeats(["pass"])).toBe(true);
    expect(nothingBeats([])).toBe(false);
    expect(nothingBeats(legal("3", "pass"))).toBe(false);
  });
});

describe("leading", () => {
  test("long plays that break little come first, bombs last", () => {
    const answers = legal("3", "4", "5", "6", "7", "34567", "9", "99", "2", "22", "2222");
    expect(hints(answers, hand("34567992222"))).toEqual(["34567", "99", "3", "4", "5", "6", "7", "9", "22", "2", "2222"]);
  });

  test("never anything that is not legal, and always something", () => {
    expect(hints(legal("4"), hand("3"))).toEqual(["4"]);
  });
});

describe("advice", () => {
  function begin(own: string[], found: Promise<string[]>): { advice: Advice; asked: () => number; heard: string[]; press: () => string | undefined } {
    let times = 0;
    const heard: string[] = [];
    const advice = new Advice(() => own, () => (times += 1, found));
    return { advice, heard, asked: () => times, press: () => advice.next((best) => heard.push(best)) };
  }

  test("until the bot has answered the own order is shown; then its own, from the best on, round and round", async () => {
    const found = Promise.resolve(["play 44", "play 5555", "play BR"]);
    const { press, heard, asked } = begin(["play 3", "play 4"], found);
    expect([press(), press(), press()]).toEqual(["play 3", "play 4", "play 3"]);
    expect(heard).toEqual([]);
    await found;
    expect(heard).toEqual(["play 44"]);
    expect([press(), press(), press(), press()]).toEqual(["play 5555", "play BR", "play 44", "play 5555"]);
    expect(asked()).toBe(1);
  });

  test("a pass is shown only if it is the best answer", async () => {
    const first = begin([], Promise.resolve(["pass", "play 2"]));
    const later = begin([], Promise.resolve(["play 2", "pass", "play BR"]));
    expect([first.press(), later.press()]).toEqual([undefined, undefined]);
    await Promise.resolve();
    expect([first.heard, later.heard]).toEqual([["pass"], ["play 2"]]);
    expect([first.press(), first.press()]).toEqual(["play 2", "pass"]);
    expect([later.press(), later.press()]).toEqual(["play BR", "play 2"]);
  });

  test("if nothing can be found out the own order stays", async () => {
    const found = Promise.resolve([]);
    const { press, heard } = begin(["play 3", "play 4"], found);
    expect(press()).toBe("play 3");
    await found;
    expect(heard).toEqual([]);
    expect([press(), press()]).toEqual(["play 4", "play 3"]);
  });
});

test("plays and passes are told apart", () => {
  expect(plays(["pass", "play 33", "bid 1"])).toEqual(["33"]);
  expect(canPass(["pass"])).toBe(true);
  expect(canPass(["play 3"])).toBe(false);
});

test("of too many cards those are kept that are one play of all their ranks", () => {
  const chains = ["3", "34567", "345678", "45678", "334455"];
  expect(within("34566788", chains)).toBe("345678");
  expect(within("345667", chains)).toBe("34567");
  expect(within("3334455", chains)).toBe("334455");
  expect(within("34556", chains)).toBeUndefined();
  expect(within("33", chains)).toBeUndefined();
});
