/* The keyboard: what a key means at the table. */

export type Intent =
  | { do: "play" | "pass" | "hint" | "auto" | "lower" | "yes" | "no" }
  | { do: "rank"; rank: string }
  | { do: "bid"; value: number };

const WORDS: Readonly<Record<string, Intent>> = {
  Enter: { do: "play" },
  Escape: { do: "lower" },
  p: { do: "pass" },
  h: { do: "hint" },
  a: { do: "auto" },
};

/** `A` is auto-play, so aces are on 1; ten is on 0 (and T). */
const RANK_KEYS: Readonly<Record<string, string>> = {
  "1": "A", "2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "7", "8": "8", "9": "9", "0": "T",
  t: "T", j: "J", q: "Q", k: "K", b: "B", r: "R",
};

/** The meaning of a key, or null; `question` is true while something other than a play is asked. */
export function intent(key: string, question: boolean): Intent | null {
  const low = key.length === 1 ? key.toLowerCase() : key;
  if (question) {
    if (low === "y") return { do: "yes" };
    if (low === "n") return { do: "no" };
    if (low === "1" || low === "2" || low === "3") return { do: "bid", value: Number(low) };
  }
  const word = WORDS[low];
  if (word !== undefined) return word;
  const rank = RANK_KEYS[low];
  return rank === undefined ? null : { do: "rank", rank };
}

/** The card to go to from card `index` with an arrow key, null for other keys. */
export function neighbour(key: string, index: number, count: number): number | null {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, index - 1);
    case "ArrowRight":
      return Math.min(count - 1, index + 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
