import { defineView, idParam, numberParam, textParam, type Param } from './url-state.ts'

/**
 * Params with the same letters in all lists, so that other screens can link to any list, and saved views can omit the page
 * and the open row.
 */
export function searchParam(): Param<string> {
  return textParam('q')
}

export function pageParam(): Param<number> {
  return numberParam('p', { fallback: 1, minimum: 1, maximum: 100_000 })
}

export function pageSizeParam(fallback: number): Param<number> {
  return numberParam('n', { fallback, minimum: 10, maximum: 100 })
}

/** The row whose sheet is open. */
export function openIdParam(): Param<string | undefined> {
  return idParam('c')
}

/** The URL state that every list has. */
export const listView = defineView({ search: searchParam(), page: pageParam(), openId: openIdParam() })
