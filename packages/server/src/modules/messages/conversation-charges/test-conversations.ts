import type { DeliveryReport, ProviderEvent } from '../../../channels/provider.ts'
import type { Database } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import type { Account } from '../../../testing/builders.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { buildCampaign, buildSender, fakeProvider, isCompleted, phoneOf, startTestSender } from '../test-lane.ts'

export const hour = 3_600_000

/** A rate card with a price of a message and one of a conversation, in ledger units. */
export async function addConversationRate(
  { systemPool }: Database,
  { organizationId }: Pick<Account, 'organizationId'>,
  { message, conversation }: { message: number; conversation: number },
): Promise<void> {
  const card = newId()
  await systemPool.query(`insert into rate_cards (organization_id, id, name) values ($1, $2, 'Card')`, [
    organizationId,
    card,
  ])
  await systemPool.query(
    `insert into rates (organization_id, rate_card_id, channel, category, price)
    values ($1, $2, 'sms', '*', $3), ($1, $2, 'sms', 'conversation', $4)`,
    [organizationId, card, message, conversation],
  )
}

/** A sender of which conversations are charged. */
export async function buildConversational(database: Database, owner: Account): Promise<string> {
  const senderId = await buildSender(database, owner)
  await database.systemPool.query(`update senders set conversation_category = 'conversation' where id = $1`, [senderId])
  return senderId
}

/** Sends a campaign and returns the provider's ids of its messages. */
export async function sendCampaign(
  opened: TestDatabase,
  options: Parameters<typeof buildCampaign>[1],
): Promise<string[]> {
  const campaignId = await buildCampaign(opened.database, options)
  const sender = await startTestSender(opened, { provider: fakeProvider() })
  await until(() => isCompleted(opened.database, campaignId), 'the campaign')
  await sender.stop()
  const { rows } = await opened.database.systemPool.query<{ id: string }>(
    `select provider_message_id as id from messages where campaign_id = $1 order by seq`,
    [campaignId],
  )
  return rows.map(({ id }) => id)
}

export const reportOf = (id: string, at: Date, status: DeliveryReport['status'] = 'delivered'): ProviderEvent => ({
  kind: 'delivery-report',
  providerMessageIds: [id],
  status,
  at,
  raw: id,
})

/** The message of a person; the provider's id of it follows from the person and the time. */
export const replyOf = (seq: number, at: Date, more: object = {}): ProviderEvent => ({
  kind: 'inbound-message',
  from: String(phoneOf(seq)),
  to: 'bot',
  text: 'Yes',
  dedupeKey: `${seq} ${at.getTime()}`,
  at,
  raw: 'Yes',
  ...more,
})

/** A process that receives events of a sender. */
export function receiverOf({ systemPool }: Database, { organizationId }: Account, senderId: string) {
  return (...events: ProviderEvent[]) => applyProviderEvents(systemPool, { organizationId, senderId }, events)
}

/** The instants at which charged conversations with a person began. */
export async function begunWith({ systemPool }: Database, senderId: string, seq: number): Promise<Date[]> {
  const { rows } = await systemPool.query<{ began_at: Date }>(
    `select began_at from charged_conversations where sender_id = $1 and phone = $2 order by began_at`,
    [senderId, phoneOf(seq)],
  )
  return rows.map(({ began_at }) => began_at)
}
