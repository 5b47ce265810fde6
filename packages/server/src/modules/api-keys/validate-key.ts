import type { apiKeyEndpoints } from '@carillon/contract/api-keys'
import type { Answer, Input } from '@carillon/contract/endpoint'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import { normalizeAddress } from '../../lib/client-address.ts'
import { findKeyState, judgeKey } from './key-state.ts'
import { parseKeyText } from './key-text.ts'

type Question = Input<(typeof apiKeyEndpoints)['apiKeys.validate']>['body']
type Verdict = Answer<(typeof apiKeyEndpoints)['apiKeys.validate']>

/** Whether a key would be accepted. One query, whether a key outside the caller's scope exists or not. */
export async function validateKey(
  db: Db,
  { actor: { scope }, question, now }: { actor: UserActor; question: Question; now: Date },
): Promise<Verdict> {
  const key = parseKeyText(question.key)
  const state = key && (await findKeyState(db, key.publicId, within(scope, 'account.path')))
  if (!key || !state) return { valid: false, reason: 'unknown' }
  const address = question.ip && normalizeAddress(question.ip)
  const reason = judgeKey(state, { hash: key.hash, now, address, scope: question.scope })
  if (reason === 'unknown') return { valid: false, reason }
  const { accountId, apiKey } = state.actor
  return {
    valid: reason === undefined,
    ...(reason ? { reason } : {}),
    keyId: apiKey.id,
    environment: apiKey.environment,
    scopes: [...apiKey.scopes],
    account: { _id: accountId, name: state.ownerName },
    expiresAt: state.expiresAt?.toISOString() ?? null,
  }
}
