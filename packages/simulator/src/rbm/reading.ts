import type { Row } from './objects.ts'
import { invalid, RbmError } from './rbm-error.ts'

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A property and the path to it, for errors. */
export type Place = { row: Row; name: string; path?: string | undefined }

function pathOf({ name, path }: Place): string {
  return path === undefined || path === '' ? name : `${path}.${name}`
}

export function readRow(place: Place): Row | undefined {
  const value = place.row[place.name]
  if (value === undefined || value === null) return undefined
  if (!isRow(value)) throw invalid(pathOf(place), 'must be an object')
  return value
}

export function needRow(place: Place): Row {
  const row = readRow(place)
  if (!row) throw invalid(pathOf(place), 'is required')
  return row
}

/** Characters are code points. */
export function readText(place: Place, most = Infinity): string | undefined {
  const value = place.row[place.name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(pathOf(place), 'must be a string')
  const length = value.length > most ? [...value].length : value.length
  if (length > most) throw invalid(pathOf(place), `must be at most ${most} characters long, and has ${length}`)
  return value
}

export function needText(place: Place, most?: number): string {
  const text = readText(place, most)
  if (text === undefined || text === '') throw invalid(pathOf(place), 'is required')
  return text
}

export function readList(place: Place): Row[] | undefined {
  const value = place.row[place.name]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || !value.every(isRow)) throw invalid(pathOf(place), 'must be a list of objects')
  return value
}

export function needOneOf<const Word extends string>(place: Place, words: readonly Word[]): Word {
  const value = place.row[place.name]
  const found = words.find((word) => word === value)
  if (found === undefined) throw invalid(pathOf(place), `must be one of ${words.join(', ')}`)
  return found
}

export function readOneOf<const Word extends string>(place: Place, words: readonly Word[]): Word | undefined {
  const value = place.row[place.name]
  return value === undefined || value === null ? undefined : needOneOf(place, words)
}

export function needNumber(place: Place): number {
  const value = place.row[place.name]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(pathOf(place), 'must be a number')
  return value
}

export function needUrl(place: Place, { most = 2048, httpsOnly = false } = {}): string {
  const url = needText(place, most)
  const scheme = httpsOnly ? /^https:\/\// : /^https?:\/\//
  if (!scheme.test(url) || !URL.canParse(url))
    throw invalid(pathOf(place), `must be a valid ${httpsOnly ? 'https' : 'http or https'} URL`)
  return url
}

export function needInstant(place: Place): number {
  const text = needText(place)
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(instant)) throw invalid(pathOf(place), 'must be an RFC 3339 timestamp')
  return instant
}

/** The one property of `names` that is set. */
export function needExactlyOne<const Name extends string>(row: Row, names: readonly Name[], path: string): Name {
  const given = names.filter((name) => row[name] !== undefined && row[name] !== null)
  const [only] = given
  if (only === undefined || given.length > 1)
    throw invalid(path, `must have exactly one of ${names.join(', ')}, and has ${given.length}`)
  return only
}

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)
}

/** Digits of `+E164`; undefined if it is no such number. */
export function digitsOf(number: string): string | undefined {
  return /^\+([1-9]\d{6,14})$/.exec(number)?.[1]
}

/** Google rejects a payload with an unknown property. */
export function requireKnown(row: Row, names: readonly string[], path: string) {
  const unknown = Object.keys(row).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const where = path === '' ? '' : ` at '${path}'`
  throw new RbmError(
    'INVALID_ARGUMENT',
    `Invalid JSON payload received. Unknown name "${unknown}"${where}: Cannot find field.`,
    path === '' ? unknown : path,
  )
}
