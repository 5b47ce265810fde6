const statuses = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type RbmStatus = keyof typeof statuses

/** An error in Google's format. */
export class RbmError extends Error {
  readonly status: RbmStatus
  /** The invalid field, reported in the details. */
  readonly field: string | undefined

  constructor(status: RbmStatus, message: string, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

export type Envelope = { status: number; body: string }

export function presentError({ status, message, field }: RbmError): Envelope {
  const details =
    field === undefined
      ? []
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field, description: message }],
          },
        ]
  const code = statuses[status]
  const error = { code, message, status, ...(details.length > 0 ? { details } : {}) }
  return { status: code, body: JSON.stringify({ error }) }
}

export function invalid(field: string, why: string): RbmError {
  return new RbmError('INVALID_ARGUMENT', `${field} ${why}`, field)
}
