import { correction, generate, mode } from "lean-qr";
import { expect, test } from "vitest";
import { MOST_BYTES, qrCode, SIZE } from "../src/lib/qr";

test.each(["https://dizhu.example/#/join/7K3MWXYZ", "a", "斗地主 ♠", "x".repeat(MOST_BYTES)])("the code of %s is that of another library", (text) => {
  const only = { minVersion: 5, maxVersion: 5, minCorrectionLevel: correction.L, maxCorrectionLevel: correction.L, mask: 0 as const };
  const other = generate(mode.bytes(new TextEncoder().encode(text)), only);
  expect(other.size).toBe(SIZE);
  const squares = Array.from({ length: SIZE }, (_, y) => Array.from({ length: SIZE }, (_, x) => other.get(x, y)));
  expect(qrCode(text)).toEqual(squares);
});

test("a text that is too long has none", () => {
  expect(qrCode("x".repeat(MOST_BYTES + 1))).toBeNull();
});
