import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { Campaign } from '@carillon/contract/campaign-records'
import type { ResponsePage } from '@carillon/contract/campaigns'
import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { z } from 'zod'
import type { Client } from './client.ts'
import type { StoryProgress } from './story-progress.ts'
import type { SimulatedGraph } from './whatsapp.ts'

export type WhatsappStory = {
  wabaId: string
  /** The leg over SMS, without its conditions. */
  failover: object
  /** SMS templates with the same messages. */
  smsTemplates: { shipped: string; offer: string }
  /** A customer file, and one with people without WhatsApp. */
  audiences: { sent: string; draft: string }
  /** The simulated phones. */
  phones: Pick<SimulatedGraph['control'], 'write'>
  progress: StoryProgress
  until: (isDone: () => Promise<boolean>) => Promise<void>
}

/** A sent WhatsApp campaign with SMS failover and replies, and a draft. */
export async function playWhatsappStory(client: Client, story: WhatsappStory): Promise<void> {
  const { audiences, phones, progress, until } = story
  const [connection] = await client.call<WhatsappConnection[]>('wabas.list')
  const [number] = connection?.numbers ?? []
  if (!connection || !number) return
  // The last connection step, which needs a template without variables.
  await approved(client, { name: 'we_are_open', story })
  const body = { phoneNumber: '+919900141200' }
  await client.call('wabas.runStep', { path: { id: connection._id, step: 'test' }, body })
  const shipped = await approved(client, { name: 'order_shipped', story })
  const offer = await approved(client, { name: 'diwali_early_access', story })
  await addFamilies(client, [
    { name: 'Order shipped', whatsapp: shipped, sms: story.smsTemplates.shipped },
    { name: 'Diwali early access', whatsapp: offer, sms: story.smsTemplates.offer },
  ])
  const failover = {
    ...story.failover,
    entryConditions: [{ type: 'not_reachable_on_channel' }, { type: 'undelivered_after', afterSeconds: 600 }],
  }
  const first = { channel: 'whatsapp', senderId: number._id }
  const shippedValues = {
    body: [fromColumn(0, 'there'), fromColumn(3, 'A-4821'), sameForAll('Friday')],
    urls: [fromColumn(3, '')],
  }
  const { _id } = await client.call<SavedDraft>('drafts.create', {
    body: {
      campaignName: 'Orders on their way',
      audienceId: audiences.sent,
      legs: [{ ...first, templateId: shipped, values: shippedValues }, failover],
    },
  })
  await client.call('drafts.validate', { path: { id: _id } })
  await until(async () => (await client.call<Campaign>('campaigns.get', { path: { id: _id } })).status !== 'validating')
  await client.call('campaigns.start', { path: { id: _id }, body: {} })
  const offerValues = { body: [fromColumn(0, 'there'), fromColumn(3, '')] }
  await client.call('drafts.create', {
    body: {
      campaignName: 'Diwali preview',
      audienceId: audiences.draft,
      legs: [{ ...first, templateId: offer, values: offerValues }, failover],
    },
  })
  await progress.step('WhatsApp replies', async () => {
    const reached = await listReached(client, { campaignId: _id, until })
    reached.forEach((phone, index) =>
      phones.write(phone, { phoneNumberId: number.phone_number_id, type: 'text', text: { body: replies[index] } }),
    )
  })
}

type FamilyOfTwo = { name: string; whatsapp: string; sms: string }

async function addFamilies(client: Client, families: readonly FamilyOfTwo[]): Promise<void> {
  for (const { name, whatsapp, sms } of families)
    await client.call('families.create', {
      body: {
        name,
        renditions: [
          { channel: 'whatsapp', templateId: whatsapp },
          { channel: 'sms', templateId: sms },
        ],
      },
    })
}

/** Replies; the last one opts out. */
const replies = [
  'Thank you! When does it reach Pune?',
  'The saree is missing from my order',
  'Can I change the address?',
  'Got it, thanks',
  'STOP',
]

type Sent = { campaignId: string; until: WhatsappStory['until'] }

/** Phone numbers of delivered messages, one for each reply; possibly fewer after half a minute. */
async function listReached(client: Client, { campaignId, until }: Sent): Promise<string[]> {
  let numbers: string[] = []
  const deadline = Date.now() + 30_000
  await until(async () => {
    const query = { campaignId, status: 'delivered', limit: String(replies.length) }
    const { responses } = await client.call<z.infer<typeof ResponsePage>>('campaigns.responses', { query })
    numbers = responses.map(({ phoneNumber }) => phoneNumber)
    return numbers.length === replies.length || Date.now() > deadline
  })
  return numbers
}

type Wanted = { name: string; story: Pick<WhatsappStory, 'wabaId' | 'until'> }

const syncEveryMs = 5000

/** The English template of that name, once approved. The simulated Meta does not report a decision again after a restart. */
async function approved(client: Client, { name, story }: Wanted): Promise<string> {
  let id: string | undefined
  let syncedAt = Date.now()
  await story.until(async () => {
    const { data } = await client.call<{ data: WhatsappTemplate[] }>('waTemplates.list', {
      query: { waba_id: story.wabaId, status: 'APPROVED', limit: '100' },
    })
    id = data.find((template) => template.name === name && template.language === 'en')?._id
    if (id === undefined && Date.now() - syncedAt > syncEveryMs) {
      await client.call('waTemplates.sync', { body: { waba_id: story.wabaId } })
      syncedAt = Date.now()
    }
    return id !== undefined
  })
  return id ?? ''
}

const fromColumn = (column: number, fallback: string) => ({ column, fallback })
const sameForAll = (fallback: string) => ({ fallback })
