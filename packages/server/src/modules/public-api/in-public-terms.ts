import { Problem } from '../../lib/problem.ts'

/** The number of a message, or of one of its legs, which have the same. */
const numberField = /(^|\.)phoneNumber$/

/** The fields of the public body. */
export function inPublicTerms(problem: Problem): Problem {
  const { code, message, details, retryAfter } = problem
  if (!details?.some(({ field }) => numberField.test(field))) return problem
  return new Problem(code, message, {
    details: details.map((detail) => (numberField.test(detail.field) ? { ...detail, field: 'to' } : detail)),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}
