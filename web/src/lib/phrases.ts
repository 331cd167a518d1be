/* What can be said by number. The words are in the dictionaries. */

/** As many as the server takes. */
export const PHRASES = 24;

/** From here on it is faces; they are drawn in index.html. */
const FIRST_FACE = 16;

export function isEmote(phrase: number): boolean {
  return phrase >= FIRST_FACE;
}
