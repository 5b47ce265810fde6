import { problemStatus, type ProblemCode, type ProblemDetail } from '@carillon/contract/errors'

/** A refusal the caller can act on. Thrown anywhere below the edge; the edge turns it into an answer. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly details: ProblemDetail[] | undefined
  /** Seconds after which trying again makes sense. */
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

/** The same answer for what is foreign and what does not exist. */
export function notFound(thing: string): Problem {
  return new Problem('not_found', `${thing} not found`)
}

export function conflict(message: string): Problem {
  return new Problem('conflict', message)
}

/** A refusal that belongs to one field of the input. */
export function badField(field: string, message: string): Problem {
  return new Problem('bad_request', message, { details: [{ field, message }] })
}
