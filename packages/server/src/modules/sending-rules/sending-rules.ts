import { SendingRules } from '@carillon/contract/sending-rules'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { recordAudit, whoActs } from '../audit/index.ts'

const defaults: SendingRules = { optOutScope: 'channel', frequencyCap: null }

export async function getSendingRules(
  db: Db,
  { organizationId }: Pick<UserActor, 'organizationId'>,
): Promise<SendingRules> {
  const row = await db
    .selectFrom('sending_rules')
    .select(['opt_out_scope', 'cap_messages', 'cap_days', 'cap_action'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!row) return defaults
  const { opt_out_scope: optOutScope, cap_messages: messages, cap_days: days, cap_action: action } = row
  return SendingRules.parse({ optOutScope, frequencyCap: messages === null ? null : { messages, days, action } })
}

export async function updateSendingRules(db: Db, actor: UserActor, rules: SendingRules): Promise<SendingRules> {
  const { optOutScope, frequencyCap } = rules
  const set = {
    opt_out_scope: optOutScope,
    cap_messages: frequencyCap?.messages ?? null,
    cap_days: frequencyCap?.days ?? null,
    cap_action: frequencyCap?.action ?? 'skip',
  }
  await db
    .insertInto('sending_rules')
    .values({ organization_id: actor.organizationId, ...set })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(set))
    .execute()
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'sending_rules.updated',
    details: { optOutScope, ...(frequencyCap ?? { messages: 'any' }) },
  })
  return rules
}
