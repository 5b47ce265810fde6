import type { Channel } from '@carillon/contract/channels'
import { findProvider, getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { freeFromCampaigns } from './free-from-campaigns.ts'
import { updateAccountRow } from './provider-accounts.ts'
import { getSender, type SenderRow } from './senders.queries.ts'

/** Templates come after senders in the order of modules, so the function that deletes them is passed in. */
type DeleteTemplates = (db: Db, of: { organizationId: string; senderId: string; now: Date }) => Promise<void>

/**
 * Deletes a sender with its account and templates. The row stays for the names of sent messages; the lane closes, and secrets
 * are deleted. The callback URL and the secret that verifies it are kept, so that late reports are still applied.
 */
export async function deleteSender(
  db: Db,
  {
    actor,
    channel,
    id,
    deleteTemplates,
  }: { actor: UserActor; channel: Channel; id: string; deleteTemplates: DeleteTemplates },
): Promise<void> {
  const sender = await getSender(db, { scope: actor.scope, channel, id })
  const { organization_id: organizationId, name } = sender
  const templateIds = await listTemplateIds(db, sender)
  await freeFromCampaigns(db, { scope: actor.scope, organizationId, name, senderIds: [id], templateIds })
  if (sender.queued > 0)
    throw conflict(`Messages are still queued for ${name}: delete it when they have been sent or have expired`)
  const now = new Date()
  await deleteTemplates(db, { organizationId, senderId: id, now })
  await db
    .updateTable('senders')
    .set({ deleted_at: now, is_active: false })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  const callsBack = findProvider(sender.provider)?.webhook !== undefined
  await updateAccountRow(
    db,
    { organization_id: organizationId, id: sender.provider_account_id },
    { failure: null, ...(callsBack ? {} : { secrets: null, secret_names: [] }) },
  )
  const { audited } = getChannel(channel).accounts
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: `${audited.sender}.deleted`,
    object: { type: audited.sender, id },
    details: { name, templates: templateIds.length },
  })
}

async function listTemplateIds(db: Db, { organization_id, id, provider_account_id }: SenderRow): Promise<string[]> {
  const rows = await db
    .selectFrom('templates')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where((where) => where.or([where('sender_id', '=', id), where('provider_account_id', '=', provider_account_id)]))
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
