import { randomBytes } from 'node:crypto'

type Known = { title: string; status?: number; isTransient?: boolean }

/** Titles by code; the HTTP status is 400 unless given. */
const known: Record<number, Known> = {
  1: { title: 'An unknown error has occurred.', status: 500, isTransient: true },
  2: { title: 'Service temporarily unavailable', status: 503, isTransient: true },
  3: { title: 'Application does not have the capability to make this API call.', status: 500 },
  4: { title: 'Application request limit reached', isTransient: true },
  10: { title: 'Application does not have permission for this action', status: 403 },
  15: { title: 'This method must be called with an app access_token.' },
  17: { title: 'User request limit reached', isTransient: true },
  100: { title: 'Invalid parameter' },
  101: { title: 'Error validating application.' },
  104: { title: 'This call needs a signed or an access token', status: 401 },
  190: { title: 'Invalid OAuth access token.', status: 401 },
  200: { title: 'Permissions error', status: 403 },
  368: { title: 'Temporarily blocked for policies violations', status: 403 },
  803: { title: 'Some of the aliases you requested do not exist', status: 404 },
  2200: { title: 'Callback verification failed' },
  80007: { title: 'Rate limit issues', isTransient: true },
  130429: { title: 'Rate limit hit' },
  130472: { title: "User's number is part of an experiment" },
  130497: { title: 'Business account is restricted from messaging users in this country.', status: 403 },
  131000: { title: 'Something went wrong', status: 500 },
  131005: { title: 'Access denied', status: 403 },
  131008: { title: 'Required parameter is missing' },
  131009: { title: 'Parameter value is not valid' },
  131016: { title: 'Service unavailable', status: 500 },
  131021: { title: 'Recipient cannot be sender' },
  131026: { title: 'Message undeliverable' },
  131030: { title: 'Recipient phone number not in allowed list' },
  131031: { title: 'Account has been locked', status: 403 },
  131037: { title: 'WhatsApp provided number needs display name approval' },
  131042: { title: 'Business eligibility payment issue' },
  131045: { title: 'Incorrect certificate', status: 500 },
  131047: { title: 'Re-engagement message' },
  131048: { title: 'Spam rate limit hit' },
  131049: { title: 'This message was not delivered to maintain healthy ecosystem engagement.' },
  131050: { title: 'User has stopped marketing messages from this business' },
  131051: { title: 'Unsupported message type' },
  131052: { title: 'Media download error' },
  131053: { title: 'Media upload error' },
  131055: { title: 'Method not allowed' },
  131056: { title: '(Business Account, Consumer Account) pair rate limit hit' },
  131057: { title: 'Account in maintenance mode', status: 500 },
  131062: { title: 'Business-scoped user ids are not supported for this message' },
  132000: { title: 'Number of parameters does not match the expected number of params' },
  132001: { title: 'Template name does not exist in the translation', status: 404 },
  132005: { title: 'Translated text too long' },
  132007: { title: 'Template content policy violated' },
  132012: { title: 'Parameter format does not match format in the created template' },
  132015: { title: 'Template is paused' },
  132016: { title: 'Template is disabled' },
  132068: { title: 'Flow is blocked' },
  132069: { title: 'Flow is throttled' },
  133000: { title: 'Incomplete deregistration', status: 500 },
  133005: { title: 'Two step verification PIN mismatch' },
  133006: { title: 'Phone number needs to be verified before registering' },
  133008: { title: 'Too many two step verification PIN guesses' },
  133009: { title: 'Two step verification PIN guessed too fast' },
  133010: { title: 'Phone number not registered' },
  133015: { title: 'Please wait a few minutes before attempting to register this phone number' },
  133016: { title: 'Account register/deregister rate limit exceeded' },
  136024: { title: 'Request code error' },
  136025: { title: 'Verify code error' },
  200005: { title: 'Template Insights is not yet available for your WhatsApp Business Account.' },
  200006: { title: 'Template Insights cannot be disabled once it has been enabled.' },
  200007: { title: 'Template Insights is not enabled for your WhatsApp Business Account' },
}

export const throttleCodes: ReadonlySet<number> = new Set([4, 80007, 130429, 131048, 131056, 133016])

export function titleOf(code: number): string {
  return known[code]?.title ?? 'An unknown error occurred'
}

export type GraphErrorDetails = {
  details?: string | undefined
  /** Replaces the title of the code. */
  message?: string
  subcode?: number
  userTitle?: string
  userMessage?: string
  type?: string
  status?: number
}

/** An error in Meta's format. */
export class GraphError extends Error {
  readonly code: number
  readonly about: GraphErrorDetails

  constructor(code: number, about: GraphErrorDetails | string = {}) {
    super(titleOf(code))
    this.code = code
    this.about = typeof about === 'string' ? { details: about } : about
  }
}

export type Envelope = { status: number; body: string }

export function presentError({ code, about }: GraphError, throttleStatus: 400 | 429 = 400): Envelope {
  const entry = known[code]
  const status = about.status ?? (throttleCodes.has(code) ? throttleStatus : (entry?.status ?? 400))
  const isForUsers = about.userTitle !== undefined
  // JSON omits undefined properties.
  const error = {
    message: about.message ?? `(#${code}) ${titleOf(code)}`,
    type: about.type ?? 'OAuthException',
    code,
    error_data: about.details === undefined ? undefined : { messaging_product: 'whatsapp', details: about.details },
    error_subcode: about.subcode,
    is_transient: isForUsers ? false : entry?.isTransient,
    error_user_title: about.userTitle,
    error_user_msg: about.userMessage,
    fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
  }
  return { status, body: JSON.stringify({ error }) }
}

export function missing(name: string): GraphError {
  return new GraphError(131008, `${name} is required`)
}

export function invalid(details: string): GraphError {
  return new GraphError(131009, details)
}

/** Graph's error for missing ids and for ids the token cannot access. */
export function noSuchObject(id: string, method: string): GraphError {
  if (!/^\d+$/.test(id) && !id.startsWith('upload:'))
    return new GraphError(803, {
      message: `(#803) Some of the aliases you requested do not exist: ${id}`,
      type: 'GraphMethodException',
    })
  return new GraphError(100, {
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    type: 'GraphMethodException',
    subcode: 33,
  })
}
