import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'

type Own = { mark: string; whatsappAccount: string; whatsappNumber: string; whatsappTemplate: string }

/** Ids of Meta have digits only, and are the same for nobody. */
const metaId = () => `7${String(BigInt(`0x${newId().replaceAll('-', '')}`) % 10n ** 18n).padStart(18, '0')}`

/** A connected account that has never been looked at, its number and a draft of a template. */
export async function addWhatsapp(
  db: Db,
  { id: created_by, organizationId: organization_id }: Account,
  own: Own,
): Promise<void> {
  await db
    .insertInto('provider_accounts')
    .values({
      organization_id,
      id: own.whatsappAccount,
      channel: 'whatsapp',
      provider: 'cloud-api',
      name: `WhatsApp ${own.mark}`,
      external_id: metaId(),
      config: '{}',
      callback_key: newId(),
    })
    .execute()
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
      external_id: metaId(),
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
}
