import { expect, test } from "vitest";
import { matches } from "../src/lib/dealcheck";

// SHA-256 of three zero bytes.
const COMMITMENT = "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c";

test("a seed is checked against its commitment", async () => {
  expect(await matches("000000", COMMITMENT)).toBe(true);
  expect(await matches("000001", COMMITMENT)).toBe(false);
});
