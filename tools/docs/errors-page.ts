import { problemStatus, type ProblemCode } from '@carillon/contract/errors'

type Code = ProblemCode | 'internal'
type Explained = { cause: string; remedy: string }

/** Every code that a call can answer; a missing one does not compile. */
const explanations: Record<Code, Explained> = {
  bad_request: {
    cause:
      'The input is not valid: a field is missing, unknown, given twice, or has a wrong value; or the body is not JSON.',
    remedy: 'Correct the fields that `details` names. A repeat without changes fails again.',
  },
  key_in_url: {
    cause: 'The URL contains an API key. URLs are kept in logs and histories.',
    remedy: 'Regenerate the key, and send the new one in the header `Authorization: Bearer`.',
  },
  unreadable_file: {
    cause: 'The uploaded file is damaged, has a password, or is not of the type that its name says.',
    remedy: 'Open the file, save it again, and upload that.',
  },
  unauthenticated: {
    cause:
      'The session has ended, or the API key is not known: it is incomplete, of another installation, or its account was deleted.',
    remedy: 'Sign in again, or check the key under API Control. Live and test keys have different secrets.',
  },
  no_token: {
    cause: 'The request has no header `Authorization: Bearer`.',
    remedy: 'Send the token of a session or an API key.',
  },
  wrong_credentials: {
    cause: 'The e-mail address, username or password is wrong.',
    remedy: 'Try again, or ask for a link to set a new password.',
  },
  second_factor_required: {
    cause: 'The account has two-factor authentication, and the code is missing or wrong.',
    remedy: 'Send the current code of the authenticator app as `code`.',
  },
  key_revoked: {
    cause: 'The API key was regenerated, and the time in which the previous secret worked as well is over.',
    remedy: 'Use the new secret.',
  },
  key_deactivated: { cause: 'The API key was deactivated.', remedy: 'Create a new key.' },
  key_expired: { cause: 'The expiry of the API key has passed.', remedy: 'Set a later expiry, or create a new key.' },
  forbidden: {
    cause:
      'The role of the account may not make this call, API keys may not make it, or it is not possible while viewing another account.',
    remedy: 'Use an account of another role, or sign in. The API reference lists the roles and the scope of each call.',
  },
  module_forbidden: {
    cause: 'The account does not have the module that the call belongs to.',
    remedy: 'Ask the account above yours for the module.',
  },
  first_login: {
    cause: 'The password was set by another person, and has to be replaced first.',
    remedy: 'Choose a new password.',
  },
  account_suspended: {
    cause: 'The account, or one above it, is suspended.',
    remedy: 'Contact your account manager. Nothing is lost meanwhile.',
  },
  ip_not_allowed: {
    cause: 'The API key lists the addresses that it can be used from, and this is another one.',
    remedy: 'Add the address that `message` names to the key.',
  },
  scope_missing: {
    cause: 'The API key does not have the scope that the call needs.',
    remedy: 'Add the scope that `details` names to the key, or use another key.',
  },
  live_key_required: {
    cause: 'The call would change live data, and the API key is a test key.',
    remedy: 'Use a live key, or only calls that test keys can make.',
  },
  key_restricted: {
    cause: 'The key config of the API key does not allow this channel, sender, template, country or size.',
    remedy: 'Change the field that `details` names, or the config.',
  },
  not_found: {
    cause: 'There is no such record or address, or it belongs to another account.',
    remedy: 'Check the id, the path, and that the key belongs to the right account and environment.',
  },
  conflict: {
    cause:
      'The state of the record forbids the action, such as cancelling a message that was sent; or the first call with the same `Idempotency-Key` is still in progress.',
    remedy: 'Read the record, and decide again. For an idempotency key, repeat shortly after.',
  },
  insufficient_balance: {
    cause: 'The available balance is less than the cost.',
    remedy: 'Top up. `GET /api/public/v1/balance` shows what is available; the event `balance.low` tells early.',
  },
  limit_exceeded: {
    cause: 'A limit of the account or of the key config is reached, such as messages a day.',
    remedy: 'Wait for the next period, or have the limit raised.',
  },
  too_large: {
    cause: 'The body or the file is larger than the call allows.',
    remedy: 'Send less, such as a smaller batch.',
  },
  idempotency_mismatch: {
    cause: 'The `Idempotency-Key` was used for another body in the last 7 days.',
    remedy: 'Use a new key for each message. Repeats have to send the very same body.',
  },
  too_many_requests: {
    cause:
      'The API key, its config or the address has used up its requests; or a number got too many one-time passwords.',
    remedy:
      'Wait for the seconds in `Retry-After`. The SDK does so by itself. Send batches in place of single messages.',
  },
  unavailable: {
    cause: 'The service is busy or restarts, or a provider did not respond in time.',
    remedy: 'Repeat after `Retry-After`, writes with the same `Idempotency-Key`.',
  },
  disk_full: {
    cause: 'The server has little room on its disk, and accepts no uploads or no writes.',
    remedy: 'Repeat later. Operators: make room in `DATA_DIR`.',
  },
  internal: {
    cause: 'An error of the server, which was logged.',
    remedy:
      'Repeat once, writes with the same `Idempotency-Key`. If it persists, tell the operator the header `request-id` of the answer.',
  },
}

const opening = `# Errors

A call that fails answers \`{success: false, message, code, details?}\` with the HTTP status of its code. \`code\` is stable and meant for programs; \`message\` is for people
and may change. \`details\` lists \`{field, message}\` for each field that is wrong. Messages of a batch that are refused have the same codes, in a response with status 200.

| Status | Code | Cause | Remedy |
|---|---|---|---|
`

const closing = `
The [SDK](sdk.md) has three codes of its own, for calls without a response of Carillon: \`connection_failed\`, \`timeout\` and \`unreadable_response\` (the address leads to another
program, such as a proxy). A message that was accepted and could not be delivered is no error of a call: its status is \`failed\`, and \`reason\` says why.

Generated from the contract by \`npm run docs\`.
`

export function writeErrorsPage(): string {
  const codes = [...Object.entries(problemStatus), ['internal', 500] as const].toSorted(([, a], [, b]) => a - b)
  const rows = codes.map(([code, status]) => {
    // The entries of the table are its codes.
    const { cause, remedy } = explanations[code as Code]
    return `| ${status} | \`${code}\` | ${cause} | ${remedy} |`
  })
  return `${opening}${rows.join('\n')}\n${closing}`
}
