/* What can be said by number. The words are in the dictionaries; faces are drawn here. */

/** As many as the server takes. */
export const PHRASES = 24;

/** The faces among them, each a line of eyes and a mouth. */
export const FACES: Readonly<Record<number, string>> = {
  16: "M16 19v2m16-2v2M14 28q10 11 20 0", // smile
  17: "M13 20q3-4 6 0m10 0q3-4 6 0M13 27q11 16 22 0Z", // laugh
  18: "M13 18l6 3m16-3-6 3M15 35q9-9 18 0", // angry
  19: "M16 19v3m16-3v3M16 35q8-8 16 0M34 26q4 6 0 7-4-1 0-7", // cry
  20: "M16 18v4m16-4v4M24 29a4 5 0 1 0 .01 0Z", // astonished
  21: "M13 20h6m10 0h6M15 32h18", // bored
  22: "M11 18h11l-2 6h-6Zm15 0h11l-3 6h-6ZM22 19h4M16 31q9 5 15-2", // cool
  23: "M13 21q3 3 6 0m10 0q3 3 6 0M22 33a3 3 0 1 0 4 0M33 8h6l-6 6h6", // sleepy
};

export function isEmote(phrase: number): boolean {
  return phrase in FACES;
}
