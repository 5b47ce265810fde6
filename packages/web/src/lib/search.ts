import { isSafeAddress } from './route-safety.ts'

/** Flat, safe form of a query string in the router. */
export type Search = Record<string, string>

/** Parses a query: flat, and only what this codec can have written. */
export function parseSearch(query: string): Search {
  const entries = [...new URLSearchParams(query)]
  return Object.fromEntries(entries.filter(([key, value]) => isKey(key) && isSafeValue(value)))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(
    (entry): entry is [string, string] =>
      isKey(entry[0]) && typeof entry[1] === 'string' && entry[1] !== '' && isSafeValue(entry[1]),
  )
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`
}

/** No key has more than two letters. */
export function isKey(key: string): boolean {
  return /^[a-z]{1,2}$/.test(key)
}

function isSafeValue(value: string): boolean {
  return /^[0-9a-z_-]*$/.test(value) && isSafeAddress(value)
}
