/* Passing by itself where nothing beats: after a pause as people make it, so that its length tells nothing. */

const LEAST_MS = 900;
const MOST_MS = 4500;

/** A pause in milliseconds, short ones more often; `chance` is from 0 to 1. */
export function pause(chance: number): number {
  return LEAST_MS + (MOST_MS - LEAST_MS) * chance * chance;
}

/** Pass after a pause; what is returned calls it off. */
export function passLater(pass: () => void): () => void {
  const timer = setTimeout(pass, pause(Math.random()));
  return () => clearTimeout(timer);
}
