import type { z } from 'zod'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

const count = (value: unknown) => Number(value).toLocaleString('en-IN')

/** Error text for a field whose schema has none; undefined falls back to zod's text. */
export const issueMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined || issue.input === null || issue.input === '') return 'Enter a value'
  if (issue.code === 'invalid_type') return wantedType(issue.expected)
  if (issue.code === 'too_small') return tooSmall(issue)
  if (issue.code === 'too_big') return tooBig(issue)
  return undefined
}

function wantedType(expected: string): string | undefined {
  if (expected === 'number') return 'Enter a number'
  if (expected === 'int') return 'Enter a whole number'
  return expected === 'string' ? 'Enter a text' : undefined
}

function tooSmall({ origin, minimum }: Issue & { code: 'too_small' }): string | undefined {
  if (origin === 'number' || origin === 'int') return `Enter ${count(minimum)} or more`
  return origin === 'string' ? `Enter at least ${count(minimum)} characters` : undefined
}

function tooBig({ origin, maximum }: Issue & { code: 'too_big' }): string | undefined {
  if (origin === 'number' || origin === 'int') return `Enter ${count(maximum)} or less`
  return origin === 'string' ? `Enter at most ${count(maximum)} characters` : undefined
}
