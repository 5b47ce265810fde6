export type ErrorDetail = { field: string; message: string }

/** A call that failed. `status` is 0 if there was no response. */
export class CarillonError extends Error {
  override readonly name = 'CarillonError'
  readonly status: number
  /** Stable, for programs: see docs/errors.md. Without a response of Carillon it is `connection_failed`, `timeout` or `unreadable_response`. */
  readonly code: string
  readonly details: readonly ErrorDetail[]
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined

  constructor({ status, code, message, details = [], retryAfter, requestId, cause }: CarillonErrorFields) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.details = details
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

export type CarillonErrorFields = {
  status: number
  code: string
  message: string
  details?: readonly ErrorDetail[] | undefined
  retryAfter?: number | undefined
  requestId?: string | undefined
  cause?: unknown
}
