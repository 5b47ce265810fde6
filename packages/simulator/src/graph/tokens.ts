import { authenticateValue } from './auth.ts'
import type { Call } from './graph.ts'
import { GraphError } from './graph-error.ts'

/** `GET /debug_token`: the permissions of a token and its accounts. */
export function debugToken({ graph, query }: Call) {
  const value = query.input_token
  if (!value) throw new GraphError(100, { message: '(#100) The parameter input_token is required' })
  const token = authenticateValue(graph.meta, value)
  if (!token)
    return {
      data: { error: { code: 190, message: 'Invalid OAuth access token.' }, is_valid: false, scopes: [] },
    }
  const isExpired = token.expiresAtMs !== undefined && token.expiresAtMs <= Date.now()
  const wabaIds = token.wabaIds === 'all' ? [...graph.meta.wabas.keys()] : token.wabaIds
  const seconds = (ms: number | undefined) => (ms === undefined ? 0 : Math.floor(ms / 1000))
  return {
    data: {
      app_id: token.appId,
      application: graph.meta.apps.get(token.appId)?.name,
      type: token.isOfApp ? 'APP' : 'SYSTEM_USER',
      is_valid: !token.isRevoked && !isExpired,
      issued_at: seconds(token.issuedAtMs),
      expires_at: seconds(token.expiresAtMs),
      data_access_expires_at: 0,
      scopes: token.scopes,
      granular_scopes: token.scopes.map((scope) => ({ scope, target_ids: wabaIds })),
      user_id: `${token.appId}9`,
    },
  }
}
