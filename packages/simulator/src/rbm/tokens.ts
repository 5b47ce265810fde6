import { randomBytes, verify } from 'node:crypto'
import type { Directory } from './directory.ts'
import { demoPartner } from './demo-agent.ts'
import type { RbmSettings } from './settings.ts'
import { isRow } from './reading.ts'
import type { Row } from './objects.ts'

export const messagingScope = 'https://www.googleapis.com/auth/rcsbusinessmessaging'
export const managementScope = 'https://www.googleapis.com/auth/businesscommunications'

export type Token = { scopes: string[]; expiresAtMs: number }

export type TokenAnswer = { status: number; body: Row }

export type Tokens = {
  /** `POST /token` of Google, with the form that the client posted. */
  answer: (form: URLSearchParams) => TokenAnswer
  /** A token outside of the flow. */
  issue: (scopes?: string[]) => string
  find: (value: string) => Token | undefined
  revokeAll: () => void
}

const mostLifetimeSeconds = 3600
const skewSeconds = 60
const keptTokens = 1000

/** Google's token endpoint for the service account: a JWT signed with RS256 is exchanged for an access token. */
export function createTokens(directory: Directory, settings: RbmSettings): Tokens {
  const tokens = new Map<string, Token>()

  function issue(scopes = [messagingScope, managementScope]): string {
    const value = `ya29.c.${randomBytes(48).toString('base64url')}`
    tokens.set(value, { scopes, expiresAtMs: Date.now() + settings.tokenMs })
    for (const old of tokens.keys()) {
      if (tokens.size <= keptTokens) break
      tokens.delete(old)
    }
    return value
  }

  return {
    answer(form) {
      if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
        return refused('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`)
      const claims = readAssertion(directory, form.get('assertion') ?? '')
      if (typeof claims === 'string') return refused('invalid_grant', claims)
      const scopes = (typeof claims.scope === 'string' ? claims.scope : '').split(' ').filter(Boolean)
      if (scopes.length === 0 || !scopes.every((scope) => [messagingScope, managementScope].includes(scope)))
        return refused('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
      const expiresIn = Math.floor(settings.tokenMs / 1000)
      return { status: 200, body: { access_token: issue(scopes), expires_in: expiresIn, token_type: 'Bearer' } }
    },
    issue,
    find(value) {
      const token = tokens.get(value)
      return token && token.expiresAtMs > Date.now() ? token : undefined
    },
    revokeAll: () => tokens.clear(),
  }
}

function refused(error: string, description: string): TokenAnswer {
  return { status: 400, body: { error, error_description: description } }
}

/** The claims, or why the assertion is rejected. */
function readAssertion(directory: Directory, assertion: string): Row | string {
  const parts = assertion.split('.')
  const [head = '', payload = '', signature = ''] = parts
  const header = readPart(head)
  const claims = readPart(payload)
  if (parts.length !== 3 || !header || !claims) return 'Invalid JWT: Failed to parse'
  if (header.alg !== 'RS256') return 'Invalid JWT: the algorithm must be RS256'
  if (claims.iss !== demoPartner.clientEmail) return 'Invalid grant: account not found'
  const isSigned = directory
    .keys()
    .filter(({ id }) => header.kid === undefined || header.kid === id)
    .some(({ publicKey }) =>
      verify('RSA-SHA256', Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, 'base64url')),
    )
  if (!isSigned) return 'Invalid JWT Signature.'
  return timeProblem(claims) ?? audienceProblem(claims) ?? claims
}

function readPart(part: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isRow(value) ? value : undefined
  } catch {
    return undefined
  }
}

function timeProblem({ iat, exp }: Row): string | undefined {
  const now = Date.now() / 1000
  const isShortLived =
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    iat <= now + skewSeconds &&
    exp > now - skewSeconds &&
    exp - iat <= mostLifetimeSeconds
  if (isShortLived) return undefined
  return 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'
}

/** Any address of this simulator is accepted: its port may have changed since the key was issued. */
function audienceProblem({ aud }: Row): string | undefined {
  const audience = typeof aud === 'string' ? aud : ''
  if (audience === 'https://oauth2.googleapis.com/token') return undefined
  if (URL.canParse(audience) && new URL(audience).pathname === '/rbm/token') return undefined
  return 'Invalid JWT: audience does not match the token endpoint'
}
