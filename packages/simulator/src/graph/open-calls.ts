import type { Call } from './graph.ts'
import { GraphError } from './graph-error.ts'
import { putToken } from './meta.ts'
import { needText } from './reading.ts'

/** Calls that need no business token. */
export const openCalls: Record<string, (call: Omit<Call, 'token'>) => unknown> = {
  'GET oauth/access_token': exchangeCode,
  'POST oauth/access_token': exchangeCode,
}

/** An embedded signup code is valid once, for 30 seconds. */
function exchangeCode({ graph, query, body }: Omit<Call, 'token'>) {
  const given = { ...query, ...body }
  const appId = needOauthText(given, 'client_id')
  const secret = needOauthText(given, 'client_secret')
  if (graph.meta.apps.get(appId)?.secret !== secret)
    throw new GraphError(1, { message: 'Error validating client secret.', status: 400 })
  const code = needOauthText(given, 'code')
  const found = graph.meta.codes.get(code)
  graph.meta.codes.delete(code)
  if (found?.appId !== appId)
    throw new GraphError(100, { message: 'Invalid verification code format.', subcode: 36007 })
  if (found.expiresAtMs < Date.now())
    throw new GraphError(100, { message: 'This authorization code has expired.', subcode: 36007 })
  const { value } = putToken(graph.meta, { appId, wabaIds: [found.wabaId] })
  return { access_token: value, token_type: 'bearer' }
}

function needOauthText(given: Record<string, unknown>, name: string): string {
  if (given[name] === undefined || given[name] === '')
    throw new GraphError(101, { message: `Missing ${name} parameter.`, status: 400 })
  return needText(given, name)
}
