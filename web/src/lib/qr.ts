/*
 * QR codes of one kind: version 5, correction L, bytes, mask 0. One block of data and one alignment mark is all there
 * is to it, and 106 bytes are enough for the address of a table.
 */

export const SIZE = 37;
export const MOST_BYTES = 106;

const DATA = 108;
const CORRECTION = 26;
/** Correction L and mask 0 as the standard codes them, most significant bit first. */
const FORMAT = 0b111011111000100;

/** The squares of the code, `true` for dark, row by row; null if the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MOST_BYTES) return null;
  const data = codewords(bytes);
  return place([...data, ...correction(data)]);
}

/** Mode, length and bytes, then zeros to the end of the byte and the two filling bytes in turn. */
function codewords(bytes: Uint8Array): number[] {
  const nibbles = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const words = Array.from({ length: nibbles.length / 2 }, (_, index) => ((nibbles[2 * index] ?? 0) << 4) | (nibbles[2 * index + 1] ?? 0));
  for (let fill = 0; words.length < DATA; fill += 1) words.push(fill % 2 === 0 ? 0xec : 0x11);
  return words;
}

/** Multiply in the field of 256 elements over x⁸ + x⁴ + x³ + x² + 1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  }
  return product;
}

/** The remainder of the data, as a polynomial, by the product of all (x − 2ⁱ). */
function correction(data: readonly number[]): number[] {
  let divisor = [1];
  for (let root = 1, degree = 0; degree < CORRECTION; degree += 1, root = times(root, 2)) {
    divisor = [...divisor, 0].map((factor, index) => factor ^ times(divisor[index - 1] ?? 0, root));
  }
  const rest = [...data, ...new Array<number>(CORRECTION).fill(0)];
  for (let index = 0; index < data.length; index += 1) {
    const lead = rest[index] ?? 0;
    divisor.forEach((factor, offset) => (rest[index + offset] = (rest[index + offset] ?? 0) ^ times(factor, lead)));
  }
  return rest.slice(data.length);
}

function place(words: readonly number[]): boolean[][] {
  const squares: (boolean | undefined)[][] = Array.from({ length: SIZE }, () => new Array<boolean | undefined>(SIZE));
  const set = (x: number, y: number, dark: boolean): void => {
    const row = squares[y];
    if (row !== undefined && x >= 0 && x < SIZE) row[x] = dark;
  };
  /** Rings around a middle: dark but at the given distance. */
  const mark = (x: number, y: number, reach: number, light: readonly number[]): void => {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  };
  for (let at = 8; at < SIZE - 8; at += 1) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  mark(3, 3, 4, [2, 4]);
  mark(SIZE - 4, 3, 4, [2, 4]);
  mark(3, SIZE - 4, 4, [2, 4]);
  mark(30, 30, 2, [1]);
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = ((FORMAT >> bit) & 1) === 1;
    const along = bit < 8 ? SIZE - 1 - bit : bit < 9 ? 7 : 14 - bit;
    set(along, 8, dark);
    set(8, bit < 6 ? bit : bit < 8 ? bit + 1 : SIZE - 15 + bit, dark);
  }
  set(8, SIZE - 8, true);
  let bit = 0;
  for (let right = SIZE - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < SIZE; step += 1) {
      const y = up ? SIZE - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (squares[y]?.[x] !== undefined) continue;
        const dark = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        set(x, y, dark !== ((x + y) % 2 === 0));
        bit += 1;
      }
    }
  }
  return squares.map((row) => [...row].map((dark) => dark === true));
}
