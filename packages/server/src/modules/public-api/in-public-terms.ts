import { Problem } from '../../lib/problem.ts'

/** The fields of the public body. */
export function inPublicTerms(problem: Problem): Problem {
  const { code, message, details, retryAfter } = problem
  if (!details?.some(({ field }) => field === 'phoneNumber')) return problem
  return new Problem(code, message, {
    details: details.map((detail) => (detail.field === 'phoneNumber' ? { ...detail, field: 'to' } : detail)),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}
