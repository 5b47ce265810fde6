import { firstGraphemes } from '@carillon/contract/text'

/** The first letters of the first and last word; empty for a number. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word))
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words
  return picked
    .map((word) =>
      firstGraphemes(word ?? '', 1)
        .slice(0, 8)
        .toUpperCase(),
    )
    .join('')
}
