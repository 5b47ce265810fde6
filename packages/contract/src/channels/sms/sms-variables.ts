import { characterStart, truncate } from '../../text.ts'
import { countSmsParts, type SmsParts } from './sms-parts.ts'

/** Tags of DLT templates. `var` is untyped; typed tags are required for templates since January 2026. */
export const variableKinds = ['var', 'numeric', 'alphanumeric', 'url', 'urlott', 'cbn', 'email'] as const
export type VariableKind = (typeof variableKinds)[number]

export type TemplatePiece = string | { kind: VariableKind; index: number }

const tag = /\{#(var|numeric|alphanumeric|url|urlott|cbn|email)#\}/g

/** Maximum length per kind, as operators' scrubbers enforce it. */
export const longestValue: Record<VariableKind, number> = {
  var: 30,
  numeric: 30,
  alphanumeric: 40,
  url: 120,
  urlott: 120,
  cbn: 15,
  email: 80,
}

const shapes: Record<VariableKind, { pattern: RegExp; says: string }> = {
  var: { pattern: /^[^]*$/, says: '' },
  numeric: { pattern: /^\d*$/, says: 'only digits are allowed' },
  alphanumeric: { pattern: /^[\p{L}\p{M}\p{N} ]*$/u, says: 'only letters and digits are allowed' },
  url: { pattern: /^(?:https?:\/\/)?[\w.-]+\.[a-z]{2,}(?:[/?#]\S*)?$/i, says: 'only a web address is allowed' },
  urlott: { pattern: /^(?:https?:\/\/)?[\w.-]+\.[a-z]{2,}(?:[/?#]\S*)?$/i, says: 'only a link is allowed' },
  cbn: { pattern: /^\+?[\d -]{3,15}$/, says: 'only a phone number is allowed' },
  email: { pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/, says: 'only an e-mail address is allowed' },
}

/** Splits a body at its tags; variables are numbered in order of appearance. */
export function parseSmsTemplate(body: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = []
  let end = 0
  let index = 0
  for (const match of body.matchAll(tag)) {
    if (match.index > end) pieces.push(body.slice(end, match.index))
    pieces.push({ kind: kindOf(match[1]), index })
    index += 1
    end = match.index + match[0].length
  }
  if (end < body.length) pieces.push(body.slice(end))
  return pieces
}

function kindOf(name: string | undefined): VariableKind {
  return variableKinds.find((kind) => kind === name) ?? 'var'
}

export function listVariableKinds(body: string): VariableKind[] {
  return parseSmsTemplate(body).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.kind]))
}

/** Parses the body once, so that each rendering only joins strings. */
export function compileSmsTemplate(body: string): (values: readonly string[]) => string {
  const pieces = parseSmsTemplate(body)
  return (values) => {
    let text = ''
    for (const piece of pieces) text += typeof piece === 'string' ? piece : (values[piece.index] ?? '')
    return text
  }
}

/** Undefined if the value matches its tag, else the error text. */
export function checkVariable(kind: VariableKind, value: string): string | undefined {
  if (value.length > longestValue[kind]) return `at most ${longestValue[kind]} characters are allowed`
  return shapes[kind].pattern.test(value) ? undefined : shapes[kind].says
}

/** The parts with every variable at its maximum length. */
export function worstCase(body: string): SmsParts {
  const render = compileSmsTemplate(body)
  return countSmsParts(render(listVariableKinds(body).map((kind) => 'x'.repeat(longestValue[kind]))))
}

export type DltMatch = { matches: true } | { matches: false; at: number; expected: string; found: string }

/**
 * Matches a text against the template registered on the DLT portal, as scrubbers do: fixed parts exactly, including spaces and line breaks; values by
 * kind. All ways to split the text are tracked at once: `reached` holds the positions where the pieces so far can end, so a value may contain the
 * words that follow its tag.
 */
export function matchDltTemplate(approved: string, text: string): DltMatch {
  let reached = [0]
  for (const piece of parseSmsTemplate(approved)) {
    const next = typeof piece === 'string' ? afterFixed(piece, text, reached) : afterValue(piece.kind, text, reached)
    if (next.length === 0) return describeMismatch(piece, text, reached)
    reached = next
  }
  const furthest = reached.at(-1) ?? 0
  return furthest === text.length ? { matches: true } : mismatch(text, furthest, '')
}

function afterFixed(piece: string, text: string, starts: readonly number[]): number[] {
  return starts.filter((start) => text.startsWith(piece, start)).map((start) => start + piece.length)
}

function afterValue(kind: VariableKind, text: string, starts: readonly number[]): number[] {
  const ends = new Set<number>()
  for (const start of starts) {
    const last = Math.min(text.length, start + longestValue[kind])
    for (let end = start; end <= last; end += 1) {
      if (!ends.has(end) && checkVariable(kind, text.slice(start, end)) === undefined) ends.add(end)
    }
  }
  return [...ends].sort((a, b) => a - b)
}

/** Returns the first wrong character, in the split that matches furthest. */
function describeMismatch(piece: TemplatePiece, text: string, starts: readonly number[]): DltMatch {
  if (typeof piece !== 'string') return mismatch(text, starts[0] ?? 0, `{#${piece.kind}#}`)
  let best = { at: -1, start: 0 }
  for (const start of starts) {
    let length = 0
    while (length < piece.length && text[start + length] === piece[length]) length += 1
    length = characterStart(piece, length)
    if (length > best.at - best.start) best = { at: start + length, start }
  }
  return mismatch(text, best.at, piece.slice(best.at - best.start))
}

function mismatch(text: string, at: number, expected: string): DltMatch {
  return { matches: false, at, expected: truncate(expected, 40), found: truncate(text.slice(at), 40) }
}

export type DiffPiece = { kind: 'same' | 'missing' | 'extra'; text: string }

const longestDiff = 2000

/** The characters to add (`missing`) and to remove (`extra`) to turn a text into the approved one. */
export function diffCharacters(approved: string, text: string): DiffPiece[] {
  const wanted = Array.from(truncate(approved, longestDiff))
  const given = Array.from(truncate(text, longestDiff))
  const lengths = commonLengths(wanted, given)
  const pieces: DiffPiece[] = []
  const add = (kind: DiffPiece['kind'], character: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += character
    else pieces.push({ kind, text: character })
  }
  const width = given.length + 1
  let row = 0
  let column = 0
  while (row < wanted.length || column < given.length) {
    const a = wanted[row]
    const b = given[column]
    if (a !== undefined && a === b) {
      add('same', a)
      row += 1
      column += 1
    } else if (
      b === undefined ||
      (a !== undefined && (lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0))
    ) {
      add('missing', a ?? '')
      row += 1
    } else {
      add('extra', b)
      column += 1
    }
  }
  return pieces
}

/** Lengths of the longest common subsequences of all pairs of suffixes. */
function commonLengths(a: string[], b: string[]): Uint16Array {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let row = a.length - 1; row >= 0; row -= 1) {
    for (let column = b.length - 1; column >= 0; column -= 1) {
      const below = lengths[(row + 1) * width + column] ?? 0
      const right = lengths[row * width + column + 1] ?? 0
      lengths[row * width + column] =
        a[row] === b[column] ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1 : Math.max(below, right)
    }
  }
  return lengths
}
