import { problemStatus, type ProblemCode, type ProblemDetail } from '@carillon/contract/errors'

/** An error the caller can act on. Thrown below the HTTP layer, which turns it into an error response. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly details: ProblemDetail[] | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: ProblemCode, message: string, more: { details?: ProblemDetail[]; retryAfter?: number } = {}) {
    super(message)
    this.code = code
    this.details = more.details
    this.retryAfter = more.retryAfter
  }

  get status(): number {
    return problemStatus[this.code]
  }
}

/** The same problem, of fields below this one. */
export function withinField({ code, message, details, retryAfter }: Problem, parent: string): Problem {
  const fields = details ?? [{ field: '', message }]
  return new Problem(code, message, {
    details: fields.map((detail) => ({ ...detail, field: detail.field ? `${parent}.${detail.field}` : parent })),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** Used for records out of scope and for missing ones alike. */
export function notFound(thing: string): Problem {
  return new Problem('not_found', `${thing} not found`)
}

export function conflict(message: string): Problem {
  return new Problem('conflict', message)
}

/** An error of one input field. */
export function badField(field: string, message: string): Problem {
  return new Problem('bad_request', message, { details: [{ field, message }] })
}
