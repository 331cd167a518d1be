import { describe, expect, test } from "vitest";
import { cardAt, extent, fit, MIN_STRIP, spots, stepsFrom } from "../src/lib/layout";

/** Width and height of the hand on the screens that are looked at. */
const SCREENS = [
  { width: 304, height: 115 },
  { width: 374, height: 160 },
  { width: 828, height: 100 },
  { width: 1264, height: 158 },
];

describe.each(SCREENS)("a hand on $width × $height", (box) => {
  test.each([1, 2, 17, 20, 21, 24])("%i cards stay inside and show their corners", (count) => {
    const shape = fit(count, box);
    expect(shape.rows.reduce((sum, row) => sum + row, 0)).toBe(count);
    const size = extent(shape);
    expect(size.width).toBeLessThanOrEqual(box.width + 0.01);
    expect(size.height).toBeLessThanOrEqual(box.height + 0.01);
    if (count > 1) expect(shape.stepX).toBeGreaterThanOrEqual(shape.width * MIN_STRIP - 0.01);
    expect(shape.width * MIN_STRIP).toBeGreaterThan(count > 20 ? 17 : 20);
  });

  test("every card is found at the middle of its visible part", () => {
    const shape = fit(20, box);
    spots(shape, box.width).forEach((spot, index) => {
      expect(cardAt(shape, box.width, spot.x + spot.visibleWidth / 2, spot.y + spot.visibleHeight / 2)).toBe(index);
    });
  });
});

test("a drag that leaves the cards stays at the nearest one", () => {
  const shape = fit(5, { width: 400, height: 120 });
  expect(cardAt(shape, 400, -50, 10)).toBe(0);
  expect(cardAt(shape, 400, 999, 500)).toBe(4);
});

test("no cards take no room", () => {
  expect(extent(fit(0, { width: 300, height: 100 })).width).toBe(0);
});

test("the next player is one step away", () => {
  expect([0, 1, 2].map((seat) => stepsFrom(2, seat, 3))).toEqual([1, 2, 0]);
});
