import type { Endpoint } from '@carillon/contract'
import { Problem } from '../lib/problem.ts'
import type { ProblemDetail } from '@carillon/contract/errors'
import type { z } from 'zod'

export type RawInput = { path: unknown; query: unknown; body: unknown }

/** Reads the three parts of a call by its schemas; every complaint is named by its field. */
export function parseInput(endpoint: Endpoint, raw: RawInput): { path: unknown; query: unknown; body: unknown } {
  checkRequired(endpoint, raw)
  const details: ProblemDetail[] = []
  const read = (schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value ?? {})
    if (parsed.success) return parsed.data
    details.push(...parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })))
    return undefined
  }
  const input = { path: read(endpoint.path, raw.path), query: read(endpoint.query, raw.query), body: read(endpoint.body, raw.body) }
  if (details.length > 0) throw new Problem('bad_request', details[0]?.message ?? 'Check what you sent', { details })
  return input
}

/** The specification's own words for a missing identifier come before every other complaint. */
function checkRequired(endpoint: Endpoint, raw: RawInput) {
  for (const [name, message] of Object.entries(endpoint.required ?? {})) {
    const part = endpoint.path && name in endpoint.path.shape ? raw.path : endpoint.query && name in endpoint.query.shape ? raw.query : undefined
    if (part === undefined) continue
    const value = isRecord(part) ? part[name] : undefined
    if (value === undefined || value === '' || value === 'undefined' || value === 'null') throw new Problem('bad_request', message, { details: [{ field: name, message }] })
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
