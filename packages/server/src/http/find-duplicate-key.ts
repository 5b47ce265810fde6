/**
 * The first key that an object of the text has twice; undefined if there is none. Parsers keep one of the values silently, so a caller
 * and a proxy in front may read the same body differently. The text is valid JSON.
 */
export function findDuplicateKey(text: string): string | undefined {
  /** The keys of the open objects; those of an array stay empty. */
  const open: Set<string>[] = []
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const key = String(JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}

/** Brackets, and strings with the colon that makes them keys. */
const tokens = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g
