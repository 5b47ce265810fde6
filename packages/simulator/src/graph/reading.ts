import { GraphError, invalid, missing } from './graph-error.ts'
import type { Row } from './objects.ts'

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object of this name; throws an error that names it. */
export function needRow(parent: Row, name: string, path = name): Row {
  const value = parent[name]
  if (value === undefined || value === null) throw missing(path)
  if (!isRow(value)) throw new GraphError(100, `${path} must be an object`)
  return value
}

export function needList(parent: Row, name: string, { path = name, least = 1, most = Infinity } = {}): Row[] {
  const value = parent[name]
  if (value === undefined || value === null) throw missing(path)
  if (!Array.isArray(value) || !value.every(isRow)) throw new GraphError(100, `${path} must be a list of objects`)
  if (value.length < least || value.length > most)
    throw invalid(`${path} must have ${least} to ${most === Infinity ? 'more' : most}, and has ${value.length}`)
  return value
}

type TextRule = { path?: string; most?: number }

export function needText(parent: Row, name: string, rule: TextRule = {}): string {
  const text = readText(parent, name, rule)
  if (text === undefined || text === '') throw missing(rule.path ?? name)
  return text
}

export function readText(
  parent: Row,
  name: string,
  { path = name, most = Infinity }: TextRule = {},
): string | undefined {
  const value = parent[name]
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') throw new GraphError(100, `${path} must be a string`)
  if (text.length > most) throw invalid(`${path} must be at most ${most} characters long, and has ${text.length}`)
  return text
}

export function needNumber(parent: Row, name: string, path = name): number {
  const value = parent[name]
  if (value === undefined || value === null || value === '') throw missing(path)
  const number = Number(value)
  if (typeof value === 'boolean' || !Number.isFinite(number)) throw invalid(`${path} must be a number`)
  return number
}

export function needOneOf<const Word extends string>(value: unknown, words: readonly Word[], path: string): Word {
  const found = words.find((word) => word === value)
  if (found === undefined) throw new GraphError(100, `${path} must be one of {${words.join(', ')}}`)
  return found
}

export function needUrl(parent: Row, name: string, path = name): string {
  const url = needText(parent, name, { path, most: 2000 })
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw invalid(`${path} must be a valid http or https address`)
  return url
}

/** Removes properties that are undefined. */
export function defined<Given extends Row>(given: Given): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  const kept: { [Name in keyof Given]?: Exclude<Given[Name], undefined> } = {}
  for (const name in given) {
    const value = given[name]
    // The type of an entry that is not undefined is exactly the one without undefined.
    if (value !== undefined) kept[name] = value as Exclude<Given[typeof name], undefined>
  }
  return kept
}

/** A string or number as string; otherwise an empty string. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
