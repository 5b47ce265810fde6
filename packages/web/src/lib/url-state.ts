import { isSafeAddress } from './route-safety.ts'
import { isKey, type Search } from './search.ts'

/**
 * Screen state in the URL. Route safety rejects URLs that contain SQL keywords, so no free text is written: choices are
 * numbers, text is hexadecimal, and keys have at most two letters.
 */
export type Param<Value> = {
  /** The key in the URL: one or two letters. */
  letter: string
  fallback: Value
  /** Undefined for invalid text, which is dropped. */
  read(text: string): Value | undefined
  write(value: Value): string
}

/** The state of a screen by name. */
export type View = Record<string, Param<unknown>>
export type ViewState<Of extends View> = { [Name in keyof Of]: Of[Name]['fallback'] }

/** Declares the URL state of a screen: `defineView({ tab: choiceParam('t', tabs, 'all'), page: pageParam() })`. */
export function defineView<const Of extends View>(view: Of): Of {
  const letters = new Set<string>()
  for (const { letter } of Object.values(view)) {
    if (!isKey(letter)) throw new Error(`${letter} is not a query parameter`)
    if (letters.has(letter)) throw new Error(`Two params of a view have the letter ${letter}`)
    letters.add(letter)
  }
  return view
}

export function readView<Of extends View>(view: Of, search: Search): ViewState<Of> {
  const state = Object.entries(view).map(([name, param]) => {
    const text = search[param.letter]
    const value = text === undefined ? undefined : param.read(text)
    return [name, value === undefined ? param.fallback : value]
  })
  // Built from the view's own names and readers, name by name.
  return Object.fromEntries(state) as ViewState<Of>
}

/** Omits defaults, to keep URLs short. */
export function writeView<Of extends View>(view: Of, state: Partial<ViewState<Of>>): Search {
  const search: Search = {}
  for (const [name, param] of Object.entries(view)) {
    const value = state[name]
    if (value === undefined) continue
    const text = param.write(value)
    if (text !== param.write(param.fallback)) search[param.letter] = text
  }
  return search
}

type NumberRange = { fallback: number; minimum: number; maximum: number }

export function numberParam(letter: string, { fallback, minimum, maximum }: NumberRange): Param<number> {
  return {
    letter,
    fallback,
    read(text) {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : undefined
      return value !== undefined && value >= minimum && value <= maximum ? value : undefined
    },
    write: String,
  }
}

export function flagParam(letter: string): Param<boolean> {
  return {
    letter,
    fallback: false,
    read: (text) => (text === '1' ? true : text === '0' ? false : undefined),
    write: (value) => (value ? '1' : '0'),
  }
}

/** One of a fixed list of values, written as its index; values may only be appended. */
export function choiceParam<const Value extends string>(
  letter: string,
  values: readonly Value[],
  fallback: NoInfer<Value>,
): Param<Value> {
  return {
    letter,
    fallback,
    read: (text) => (/^\d{1,3}$/.test(text) ? values[Number(text)] : undefined),
    write: (value) => String(values.indexOf(value)),
  }
}

/** One of a fixed list of values, or none: written as its index, none as an empty text; values may only be appended. */
export function optionalChoiceParam<const Value extends string>(
  letter: string,
  values: readonly Value[],
): Param<Value | undefined> {
  return {
    letter,
    fallback: undefined,
    read: (text) => (/^\d{1,2}$/.test(text) ? values[Number(text)] : undefined),
    write: (value) => (value === undefined ? '' : String(values.indexOf(value))),
  }
}

/** Several of a fixed list of values: 1-4-7. */
export function choicesParam<const Value extends string>(
  letter: string,
  values: readonly Value[],
): Param<readonly Value[]> {
  return {
    letter,
    fallback: [],
    read(text) {
      if (!/^\d{1,3}(?:-\d{1,3})*$/.test(text)) return undefined
      return text.split('-').flatMap((code) => values[Number(code)] ?? [])
    },
    write: (chosen) => chosen.map((value) => values.indexOf(value)).join('-'),
  }
}

/** Typed text in hexadecimal UTF-8, which cannot spell a keyword. */
export function textParam(letter: string): Param<string> {
  return { letter, fallback: '', read: fromHex, write: toHex }
}

/** An optional record id, written as is if safe. */
export function idParam(letter: string): Param<string | undefined> {
  return {
    letter,
    fallback: undefined,
    read(text) {
      if (text.startsWith('0x')) return fromHex(text.slice(2))
      return isPlainId(text) ? text : undefined
    },
    write: (id) => (id === undefined ? '' : isPlainId(id) ? id : `0x${toHex(id)}`),
  }
}

/** Several UUIDs without dashes: 32 hexadecimal digits each. */
export function idsParam(letter: string, most = 50): Param<readonly string[]> {
  return {
    letter,
    fallback: [],
    read(text) {
      if (!/^[0-9a-f]{32}(?:_[0-9a-f]{32})*$/.test(text)) return undefined
      const ids = text.split('_').map((hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
      return [...new Set(ids)].slice(0, most)
    },
    write: (ids) =>
      ids
        .slice(0, most)
        .map((id) => id.replaceAll('-', ''))
        .join('_'),
  }
}

/** A range of days, both included, as ISO dates. */
export type DayRange = { from: string; to: string }

export function rangeParam(letter: string): Param<DayRange | undefined> {
  return {
    letter,
    fallback: undefined,
    read(text) {
      const found = /^(\d{4})(\d\d)(\d\d)-(\d{4})(\d\d)(\d\d)$/.exec(text)
      if (!found) return undefined
      const [from, to] = [found.slice(1, 4).join('-'), found.slice(4, 7).join('-')]
      return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
    },
    write: (range) => (range ? `${range.from.replaceAll('-', '')}-${range.to.replaceAll('-', '')}` : ''),
  }
}

function isPlainId(id: string): boolean {
  return /^[0-9a-z_][0-9a-z_-]*$/.test(id) && !id.startsWith('0x') && !id.endsWith('-') && isSafeAddress(id)
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function toHex(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(hex: string): string | undefined {
  if (hex.length % 2 !== 0 || !/^[0-9a-f]*$/.test(hex)) return undefined
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
