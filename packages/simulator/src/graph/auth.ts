import type { FastifyRequest } from 'fastify'
import { GraphError } from './graph-error.ts'
import type { Meta } from './meta.ts'
import type { Scope, Token } from './objects.ts'

/** Authenticates by bearer token or `access_token`; resumable uploads use the OAuth scheme. */
export function authenticate(meta: Meta, request: FastifyRequest, query: Record<string, unknown>): Token {
  const value = readToken(request, query)
  if (value === undefined)
    throw new GraphError(104, { message: '(#104) An access token is required to request this resource.' })
  const token = authenticateValue(meta, value)
  if (!token) throw new GraphError(190, { message: 'Invalid OAuth access token - Cannot parse access token' })
  if (token.isRevoked)
    throw new GraphError(190, {
      message: 'Error validating access token: The user has not authorized application or the session was invalidated.',
      subcode: 460,
    })
  if (token.expiresAtMs !== undefined && token.expiresAtMs <= Date.now())
    throw new GraphError(190, {
      message: `Error validating access token: Session has expired on ${new Date(token.expiresAtMs).toUTCString()}.`,
      subcode: 463,
    })
  return token
}

/** The token's owner, even if it is invalid. */
export function authenticateValue(meta: Meta, value: string): Token | undefined {
  return meta.tokens.get(value) ?? appToken(meta, value)
}

function readToken(request: FastifyRequest, query: Record<string, unknown>): string | undefined {
  const { authorization } = request.headers
  const [, scheme, value] = /^(\w+)\s+(\S+)$/.exec(authorization ?? '') ?? []
  if (scheme !== undefined && ['bearer', 'oauth'].includes(scheme.toLowerCase())) return value
  return typeof query.access_token === 'string' && query.access_token !== '' ? query.access_token : undefined
}

function appToken(meta: Meta, value: string): Token | undefined {
  const [appId = '', secret] = value.split('|')
  if (secret === undefined || meta.apps.get(appId)?.secret !== secret) return undefined
  return {
    value,
    appId,
    scopes: [],
    wabaIds: [],
    issuedAtMs: 0,
    expiresAtMs: undefined,
    isRevoked: false,
    isOfApp: true,
  }
}

export function needScope(token: Token, scope: Scope) {
  if (token.isOfApp || token.scopes.includes(scope)) return
  throw scope === 'whatsapp_business_messaging'
    ? new GraphError(10, { message: '(#10) Application does not have permission for this action' })
    : new GraphError(200, { message: `(#200) You do not have the necessary permission ${scope} for this action.` })
}

/** Objects without access look the same as missing ones. */
export function reaches(token: Token, wabaId: string): boolean {
  return token.wabaIds === 'all' || token.wabaIds.includes(wabaId)
}
