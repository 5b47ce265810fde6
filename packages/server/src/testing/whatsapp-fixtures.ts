import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'
import { randomMetaId, sampleLine, sampleWaba } from './meta-ids.ts'

type Own = {
  mark: string
  whatsappAccount: string
  whatsappNumber: string
  whatsappTemplate: string
  whatsappCampaign: string
}

/** A connected account that was never refreshed, with a number, a template draft and a campaign draft. */
export async function addWhatsapp(
  db: Db,
  { id: created_by, organizationId: organization_id, path }: Account,
  own: Own,
): Promise<void> {
  const connect = (waba: string) =>
    db
      .insertInto('provider_accounts')
      .values({
        organization_id,
        id: own.whatsappAccount,
        channel: 'whatsapp',
        provider: 'cloud-api',
        name: `WhatsApp ${own.mark}`,
        external_id: waba,
        config: JSON.stringify({ wabaId: waba, appId: '240000000000009', graphUrl: 'http://127.0.0.1:9' }),
        callback_key: newId(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
  // Sample calls use the organisation's first one.
  const { numInsertedOrUpdatedRows: isFirst } = await connect(sampleWaba)
  if (!isFirst) await connect(randomMetaId())
  const displayNumber = '+91 80 4718 1000'
  const facts = {
    displayNumber,
    name: `Acme ${own.mark}`,
    nameStatus: 'APPROVED',
    quality: 'green',
    status: 'CONNECTED',
  }
  await db
    .insertInto('senders')
    .values({
      organization_id,
      created_by,
      id: own.whatsappNumber,
      provider_account_id: own.whatsappAccount,
      channel: 'whatsapp',
      name: `Acme ${own.mark}`,
      external_id: sampleLine,
      facts: JSON.stringify({ ...facts, messagingLimit: 1000, ratePerSecond: 80, mode: 'live' }),
      registered_at: new Date(),
    })
    .execute()
  await db
    .insertInto('templates')
    .values({
      organization_id,
      created_by,
      id: own.whatsappTemplate,
      channel: 'whatsapp',
      provider_account_id: own.whatsappAccount,
      name: `greeting_${own.mark.toLowerCase()}`,
      status: 'DRAFT',
      category: 'UTILITY',
      language: 'en',
      content: JSON.stringify({ body: `All is well at ${own.mark}.` }),
    })
    .execute()
  await db
    .insertInto('campaigns')
    .values({
      organization_id,
      created_by,
      path,
      id: own.whatsappCampaign,
      name: `WhatsApp to all of ${own.mark}`,
      channel: 'whatsapp',
      draft: JSON.stringify({
        campaignName: `WhatsApp to all of ${own.mark}`,
        legs: [{ channel: 'whatsapp', senderId: null, templateId: null, values: {} }],
      }),
    })
    .execute()
}
