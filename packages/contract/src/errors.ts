/** Error messages quoted from the specification. */
export const messages = {
  notAuthenticated: 'User not authenticated.',
  noToken: 'No authentication token found.',
  notAuthorized: 'You are not authorized to access this resource.',
  campaignIdRequired: 'Campaign ID is required',
  noUserIds: 'No userIds provided for the API call.',
  userIdsNoArray: 'userIds should be an array.',
  unexpected: 'An unexpected error occurred',
  unknown: 'Unknown error occurred',
  validation: 'Validation error occurred',
  network: 'Network Error: Unable to connect to the server',
} as const

/** Error codes with their HTTP status. */
export const problemStatus = {
  bad_request: 400,
  key_in_url: 400,
  unauthenticated: 401,
  no_token: 401,
  wrong_credentials: 401,
  second_factor_required: 401,
  key_revoked: 401,
  key_deactivated: 401,
  key_expired: 401,
  forbidden: 403,
  module_forbidden: 403,
  first_login: 403,
  account_suspended: 403,
  ip_not_allowed: 403,
  scope_missing: 403,
  live_key_required: 403,
  key_restricted: 403,
  not_found: 404,
  conflict: 409,
  insufficient_balance: 409,
  limit_exceeded: 409,
  too_large: 413,
  unreadable_file: 400,
  idempotency_mismatch: 422,
  too_many_requests: 429,
  disk_full: 507,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof problemStatus

/** HTTP statuses of errors; unexpected errors are 500. */
export type RefusalStatus = (typeof problemStatus)[ProblemCode] | 500

export type ProblemDetail = { field: string; message: string }

/** Body of an error response. */
export type Refusal = { success: false; message: string; code: ProblemCode | 'internal'; details?: ProblemDetail[] }
