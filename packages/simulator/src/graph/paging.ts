import type { Call } from './graph.ts'
import { GraphError } from './graph-error.ts'

export type Page<Entry> = {
  data: Entry[]
  paging?: { cursors: { before: string; after: string }; next?: string; previous?: string }
}

type Listed = { id: string }

const standardLimit = 25

/** One page of a list, with opaque cursors. */
export function pageOf<Entry extends Listed>(
  call: Call,
  entries: Entry[],
  most = 100,
): { entries: Entry[]; paging: Page<Entry>['paging'] } {
  const limit = readLimit(call.query.limit, most)
  const { after, before } = call.query
  const start = after ? placeOf(entries, after) + 1 : before ? Math.max(0, placeOf(entries, before) - limit) : 0
  const end = before && !after ? placeOf(entries, before) : start + limit
  const shown = entries.slice(start, end)
  const first = shown[0]
  const last = shown.at(-1)
  if (!first || !last) return { entries: shown, paging: undefined }
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  return {
    entries: shown,
    paging: {
      cursors,
      ...(start + shown.length < entries.length ? { next: addressOf(call, { after: cursors.after, limit }) } : {}),
      ...(start > 0 ? { previous: addressOf(call, { before: cursors.before, limit }) } : {}),
    },
  }
}

function readLimit(text: string | undefined, most: number): number {
  if (text === undefined) return standardLimit
  const limit = Number(text)
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new GraphError(100, { message: '(#100) Param limit must be a positive number' })
  return Math.min(limit, most)
}

function cursorOf({ id }: Listed): string {
  return `${Buffer.from(`at:${id}`).toString('base64url')}ZD`
}

function placeOf(entries: Listed[], cursor: string): number {
  const id = Buffer.from(cursor.replace(/ZD$/, ''), 'base64url').toString().replace(/^at:/, '')
  const place = entries.findIndex((entry) => entry.id === id)
  if (place < 0) throw new GraphError(100, { message: '(#100) Invalid cursors values' })
  return place
}

function addressOf(
  { request, query, token }: Call,
  { limit, ...cursor }: { limit: number; after?: string; before?: string },
): string {
  const { after: _after, before: _before, ...rest } = query
  const path = request.url.split('?')[0]
  const asked = new URLSearchParams({ ...rest, access_token: token.value, limit: String(limit), ...cursor })
  return `${request.protocol}://${request.host}${path}?${asked.toString()}`
}
