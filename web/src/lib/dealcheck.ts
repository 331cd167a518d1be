/* The deal check: the SHA-256 of the seed was shown before the deal. */

/** Whether the seed (hexadecimal) has this SHA-256; null where the browser offers no hashing (pages without TLS). */
export async function matches(seed: string, commitment: string): Promise<boolean | null> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return null;
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const digest = await subtle.digest("SHA-256", bytes);
  const text = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text === commitment.toLowerCase();
}
