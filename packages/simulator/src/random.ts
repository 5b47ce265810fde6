/** A 32-bit hash of a text (FNV-1a), sufficient to distinguish texts and to seed a generator. */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Numbers in [0, 1) that are the same for the same seed and subject, on every machine and in every order of events. */
export function seededRandom(seed: number, subject: string): () => number {
  let state = hashText(subject, (0x811c9dc5 ^ seed) >>> 0)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}
