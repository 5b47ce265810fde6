/** A place in a text: the offset of its first character, and its line, from 1. */
export type Place = { at: number; line: number }

export type LocatedJson =
  | { kind: 'json'; value: unknown; placeOf: (path: string) => Place }
  | { kind: 'broken'; message: string; place: Place }

/**
 * Parses JSON and finds where its values are, by paths such as `rate.burst` or `filters.countries.1`. A path that is not in
 * the text is found at the nearest value above it. Names that are given twice are refused.
 */
export function locateJson(text: string): LocatedJson {
  const lines = lineStarts(text)
  const scanner = new Scanner(text)
  try {
    const value = scanner.readAll()
    const placeOf = (path: string) => placeAt(scanner.offsetOf(path), lines)
    return { kind: 'json', value, placeOf }
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error
    return { kind: 'broken', message: error.message, place: placeAt(error.at, lines) }
  }
}

class BrokenJson extends Error {
  override name = 'BrokenJson'
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const maximumDepth = 100
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const space = /[ \t\n\r]*/y

class Scanner {
  readonly #text: string
  readonly #offsets = new Map<string, number>()
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readAll(): unknown {
    const value = this.#readValue([])
    this.#skipSpace()
    if (this.#at < this.#text.length) throw new BrokenJson('Nothing may follow the closing bracket', this.#at)
    return value
  }

  offsetOf(path: string): number {
    const keys = path === '' ? [] : path.split('.')
    while (keys.length > 0 && !this.#offsets.has(keys.join('.'))) keys.pop()
    return this.#offsets.get(keys.join('.')) ?? 0
  }

  #readValue(path: readonly string[]): unknown {
    this.#skipSpace()
    const key = path.join('.')
    if (!this.#offsets.has(key)) this.#offsets.set(key, this.#at)
    if (path.length > maximumDepth) throw new BrokenJson('Too many levels', this.#at)
    const first = this.#text[this.#at]
    if (first === '{') return this.#readObject(path)
    if (first === '[') return this.#readArray(path)
    const found = this.#match(first === '"' ? string : literal)
    if (found === undefined) throw new BrokenJson(this.#expected('a value'), this.#at)
    return JSON.parse(found)
  }

  #readObject(path: readonly string[]): Record<string, unknown> {
    const entries = new Map<string, unknown>()
    this.#readItems('}', () => {
      const at = this.#at
      const quoted = this.#match(string)
      if (quoted === undefined) throw new BrokenJson(this.#expected('a name in double quotes'), this.#at)
      const name = String(JSON.parse(quoted))
      if (entries.has(name)) throw new BrokenJson(`${name} is given twice`, at)
      this.#offsets.set([...path, name].join('.'), at)
      this.#skipSpace()
      if (this.#text[this.#at] !== ':') throw new BrokenJson(this.#expected('a colon'), this.#at)
      this.#at += 1
      entries.set(name, this.#readValue([...path, name]))
    })
    return Object.fromEntries(entries)
  }

  #readArray(path: readonly string[]): unknown[] {
    const values: unknown[] = []
    this.#readItems(']', () => values.push(this.#readValue([...path, String(values.length)])))
    return values
  }

  #readItems(end: ']' | '}', readItem: () => void) {
    this.#at += 1
    this.#skipSpace()
    if (this.#text[this.#at] === end) {
      this.#at += 1
      return
    }
    for (;;) {
      this.#skipSpace()
      readItem()
      this.#skipSpace()
      const next = this.#text[this.#at]
      if (next !== ',' && next !== end) throw new BrokenJson(this.#expected(`a comma or ${end}`), this.#at)
      this.#at += 1
      if (next === end) return
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #skipSpace() {
    this.#match(space)
  }

  #expected(what: string): string {
    return this.#at >= this.#text.length ? `The text ends where ${what} is expected` : `Expected ${what}`
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function placeAt(at: number, starts: readonly number[]): Place {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return { at, line: low + 1 }
}
