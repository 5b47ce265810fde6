import type { Endpoint } from '@carillon/contract'
import { issueWords } from '../lib/issue-words.ts'
import { Problem } from '../lib/problem.ts'
import type { ProblemDetail } from '@carillon/contract/errors'
import type { z } from 'zod'

export type RawInput = { path: unknown; query: unknown; body: unknown }

/** Reads the three parts of a call by its schemas; every complaint is named by its field. */
export function parseInput(endpoint: Endpoint, raw: RawInput): { path: unknown; query: unknown; body: unknown } {
  checkRequired(endpoint, raw)
  refuseNul(raw)
  const details: ProblemDetail[] = []
  const read = (schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value ?? {}, { error: issueWords })
    if (parsed.success) return parsed.data
    details.push(...parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })))
    return undefined
  }
  const input = {
    path: read(endpoint.path, raw.path),
    query: read(endpoint.query, raw.query),
    body: read(endpoint.body, raw.body),
  }
  if (details.length > 0) throw new Problem('bad_request', details[0]?.message ?? 'Check what you sent', { details })
  return input
}

/** No text of ours has a NUL in it, and the database takes none. */
function refuseNul(raw: RawInput) {
  // An even number of backslashes in front only spells the escape out.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(raw)))
    throw new Problem('bad_request', 'Texts must not contain NUL characters')
}

/** The specification's own words for a missing identifier come before every other complaint. */
function checkRequired(endpoint: Endpoint, raw: RawInput) {
  for (const [name, message] of Object.entries(endpoint.required ?? {})) {
    const part = (['path', 'query'] as const).find((place) => endpoint[place] && name in endpoint[place].shape)
    if (!part) continue
    const given = raw[part]
    const value = isRecord(given) ? given[name] : undefined
    if (isMissing(value)) throw new Problem('bad_request', message, { details: [{ field: name, message }] })
  }
}

/** A client that puts a value it does not have into an address sends its name for nothing. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === '' || value === 'undefined' || value === 'null'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
