import type { Endpoint } from '@carillon/contract'
import { issueMessage } from '../lib/issue-message.ts'
import { badField, Problem } from '../lib/problem.ts'
import { isStorableText } from '../lib/storable.ts'
import type { ProblemDetail } from '@carillon/contract/errors'
import type { z } from 'zod'

export type RawInput = { path: unknown; query: unknown; body: unknown }

/** Parses the three parts of a call by its schemas; errors are reported by field. */
export function parseInput(endpoint: Endpoint, raw: RawInput): { path: unknown; query: unknown; body: unknown } {
  checkRequired(endpoint, raw)
  for (const part of [raw.path, raw.query, raw.body]) refuseUnstorable(part)
  const details: ProblemDetail[] = []
  const read = (schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value ?? {}, { error: issueMessage })
    if (parsed.success) return parsed.data
    details.push(...parsed.error.issues.flatMap(detailsOf))
    return undefined
  }
  const input = {
    path: read(endpoint.path, raw.path),
    query: read(endpoint.query, raw.query),
    body: read(endpoint.body, raw.body),
  }
  if (details.length > 0) throw new Problem('bad_request', details[0]?.message ?? 'Invalid request', { details })
  return input
}

/** An unknown field is an error of that field. */
export function detailsOf(issue: z.core.$ZodIssue): ProblemDetail[] {
  const { path, message } = issue
  const nameOf = (names: readonly PropertyKey[]) => names.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return [{ field: nameOf(path), message }]
  return issue.keys.map((key) => ({ field: nameOf([...path, key]), message: 'Unknown field' }))
}

/** Far deeper than any body of the contract, and far from exhausting the stack. */
const deepest = 32

/** Rejects what no schema checks: NULs and lone surrogates, which the database cannot store, and deep nesting. */
function refuseUnstorable(value: unknown, field = '', depth = 0) {
  if (typeof value === 'string') assertStorable(value, field)
  if (!isRecord(value)) return
  if (depth === deepest) throw badField(field, 'The request is nested too deeply')
  for (const [key, inner] of Object.entries(value)) {
    assertStorable(key, field)
    refuseUnstorable(inner, field === '' ? key : `${field}.${key}`, depth + 1)
  }
}

function assertStorable(text: string, field: string) {
  if (!isStorableText(text)) throw badField(field, 'Texts must not contain NUL characters or lone surrogates')
}

/** The specification's messages for missing identifiers take precedence over other errors. */
function checkRequired(endpoint: Endpoint, raw: RawInput) {
  for (const [name, message] of Object.entries(endpoint.required ?? {})) {
    const part = (['path', 'query'] as const).find((place) => endpoint[place] && name in endpoint[place].shape)
    if (!part) continue
    const given = raw[part]
    const value = isRecord(given) ? given[name] : undefined
    if (isMissing(value)) throw new Problem('bad_request', message, { details: [{ field: name, message }] })
  }
}

/** Clients that interpolate a missing value into a URL send its name, such as `undefined`. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === '' || value === 'undefined' || value === 'null'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
