import { findProvider } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { freeFromCampaigns } from './free-from-campaigns.ts'
import { getSender } from './senders.queries.ts'

/** Templates come after senders in the order of modules, so that what deletes them is handed in. */
export type DeleteTemplates = (db: Db, of: { organizationId: string; senderId: string; now: Date }) => Promise<void>

/**
 * Deletes an SMS account and its templates. Its row stays for the names of what was sent; its lane closes, and its secrets are
 * forgotten. A provider that calls back keeps its address and what signs its calls, so that late reports find their message.
 */
export async function deleteAccount(
  db: Db,
  { actor, id, deleteTemplates }: { actor: UserActor; id: string; deleteTemplates: DeleteTemplates },
): Promise<void> {
  const account = await getSender(db, { scope: actor.scope, channel: 'sms', id })
  const { organization_id: organizationId, name } = account
  const templates = await db
    .selectFrom('templates')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('sender_id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  const templateIds = templates.map((template) => template.id)
  await freeFromCampaigns(db, { scope: actor.scope, organizationId, name, senderIds: [id], templateIds })
  if (account.queued > 0)
    throw conflict(`Messages still wait for ${name}: delete it when they have been sent or have expired`)
  const callsBack = findProvider(account.provider)?.webhook !== undefined
  const now = new Date()
  await deleteTemplates(db, { organizationId, senderId: id, now })
  await db
    .updateTable('senders')
    .set({ deleted_at: now, is_active: false })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('provider_accounts')
    .set({
      failure: null,
      updated_at: now,
      ...(callsBack ? {} : { secrets: null, secret_names: [] }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', account.provider_account_id)
    .execute()
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'sms_account.deleted',
    object: { type: 'sms_account', id },
    details: { name, templates: templateIds.length },
  })
}
