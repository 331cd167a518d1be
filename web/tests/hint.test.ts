import { describe, expect, test } from "vitest";
import { canPass, coreOf, hints, nothingBeats, plays, within } from "../src/lib/hint";

const legal = (...texts: string[]): string[] => texts.map((text) => (text === "pass" ? text : `play ${text}`));
const hand = (text: string): string[] => [...text];

describe("following", () => {
  test("the same kind comes lowest first, then bombs, the rocket last; a four is not broken", () => {
    const answers = legal("55", "66", "88", "8888", "BR", "pass");
    expect(hints(answers, hand("55668888BR"))).toEqual(["55", "66", "8888", "BR"]);
  });

  test("a single card does not come out of a pair while there is another", () => {
    expect(hints(legal("4", "5", "pass"), hand("445"))).toEqual(["5", "4"]);
  });

  test("if only a four or the jokers could follow, breaking them is shown", () => {
    expect(hints(legal("88", "8888", "pass"), hand("38888"))).toEqual(["88", "8888"]);
    expect(hints(legal("B", "R", "BR", "pass"), hand("3BR"))).toEqual(["B", "R", "BR"]);
  });

  test("plays that differ in their kickers only are shown once, with the kicker that breaks least", () => {
    expect(hints(legal("5556", "5557", "4555", "6667", "pass"), hand("4455566677"))[0]).toBe("5556");
    const seven = hints(legal("3777", "4777", "5777", "pass"), hand("3345777"));
    expect(seven).toEqual(["4777"]);
  });

  test("bombs of two decks are shown whole", () => {
    expect(hints(legal("5555", "55555", "BB", "BBR", "pass"), hand("355555BBR"))).toEqual(["55555", "BBR"]);
  });

  test("nothing to show when only a pass is open", () => {
    expect(hints(legal("pass"), hand("345"))).toEqual([]);
    expect(nothingBeats(["pass"])).toBe(true);
    expect(nothingBeats([])).toBe(false);
    expect(nothingBeats(legal("3", "pass"))).toBe(false);
  });
});

describe("leading", () => {
  test("the hand is led from low to high, in plays as long as they can be, bombs last", () => {
    const answers = legal("3", "4", "5", "6", "7", "34567", "9", "99", "2", "2222", "22");
    expect(hints(answers, hand("34567992222"))).toEqual(["34567", "99", "2222"]);
  });

  test("trios take low single cards along if the game allows it", () => {
    expect(hints(legal("3", "777", "3777", "K", "777K"), hand("3777K"))).toEqual(["3777", "K"].sort());
    expect(hints(legal("3", "777", "K"), hand("3777K"))).toEqual(["3", "777", "K"]);
  });

  test("never anything that is not legal, and always something", () => {
    expect(hints(legal("4"), hand("3"))).toEqual(["4"]);
  });
});

test("plays and passes are told apart", () => {
  expect(plays(["pass", "play 33", "bid 1"])).toEqual(["33"]);
  expect(canPass(["pass"])).toBe(true);
  expect(canPass(["play 3"])).toBe(false);
});

test("the core of a plane is its longest run of trios", () => {
  expect(coreOf("33344456")).toBe("34");
  expect(coreOf("333555666777")).toBe("567");
  expect(coreOf("44")).toBe("44");
});

test("of too many cards those are kept that are one play of all their ranks", () => {
  const chains = ["3", "34567", "345678", "45678", "334455"];
  expect(within("34566788", chains)).toBe("345678");
  expect(within("345667", chains)).toBe("34567");
  expect(within("3334455", chains)).toBe("334455");
  expect(within("34556", chains)).toBeUndefined();
  expect(within("33", chains)).toBeUndefined();
});
