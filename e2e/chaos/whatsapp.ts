import type { Campaign } from '@carillon/contract/campaign-records'
import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { demoAccount } from '@carillon/simulator/graph/demo-account'
import { loadAudience, nameAndCode, prepare, settled, smsLeg, validated } from './campaign.ts'
import { callSimulator } from './simulator.ts'
import type { World } from './world.ts'

/** The simulated Meta decides by the last four digits who has no WhatsApp and who is never reached. */
const absent = '0026'
export const silent = '0099'
const present = '1200'

/** One in ten is not on WhatsApp; optionally one in fifty is never reached or reported. */
export function whatsappNumbers(count: number, { withSilent }: { withSilent: boolean }): string[] {
  const endingOf = (index: number) => {
    if (index % 10 === 3) return absent
    return withSilent && index % 50 === 7 ? silent : present
  }
  return Array.from({ length: count }, (_, index) => `+919${50_000 + index}${endingOf(index)}`)
}

/** A campaign over the simulated Meta with failover to SMS over SMPP. */
export async function startWhatsappCampaign(
  world: World,
  {
    phones,
    ratePerSecond,
    afterSeconds,
  }: { phones: readonly string[]; ratePerSecond: number; afterSeconds: number | undefined },
): Promise<string> {
  const whatsapp = await connectWhatsapp(world, ratePerSecond)
  const sms = await prepare(world, 'smpp', ratePerSecond)
  const draft = await world.api.call<{ _id: string }>('drafts.create', {
    body: {
      campaignName: 'Storm over whatsapp',
      audienceId: await loadAudience(world, phones),
      legs: [
        whatsapp,
        {
          ...smsLeg(sms),
          entryConditions: [
            { type: 'not_reachable_on_channel' },
            ...(afterSeconds === undefined ? [] : [{ type: 'undelivered_after', afterSeconds }]),
          ],
        },
      ],
    },
  })
  await world.api.call<Campaign>('drafts.validate', { path: { id: draft._id } })
  await validated(() => world.api.call<Campaign>('campaigns.get', { path: { id: draft._id } }))
  await world.api.call('campaigns.start', { path: { id: draft._id }, body: {} })
  return draft._id
}

/** A leg over the simulator's initial account. */
export async function connectWhatsapp(world: World, ratePerSecond: number) {
  const number = await connectNumber(world, ratePerSecond)
  const templateId = await templateOf(world)
  return { channel: 'whatsapp', senderId: number._id, templateId, values: { body: nameAndCode } } as const
}

/** Meta's limits are off; the lane limits the rate. A second campaign uses the same account. */
export async function connectNumber(world: World, ratePerSecond: number) {
  await callSimulator(world, '/api/graph/settings', {
    throughput: 0,
    pairLimit: false,
    tierLimit: false,
    reviewMs: 50,
    webhookMostRetryMs: 2000,
  })
  const { wabaId, token, appId, appSecret } = demoAccount
  const known = await world.api.call<WhatsappConnection[]>('wabas.list')
  const connection =
    known.find(({ waba_id }) => waba_id === wabaId) ??
    (await world.api.call<WhatsappConnection>('wabas.connect', {
      body: {
        waba_id: wabaId,
        accessToken: token,
        appId,
        appSecret,
        graphUrl: `http://127.0.0.1:${world.simulatorPorts.http}/graph`,
      },
    }))
  const [number] = connection.numbers
  if (!number) throw new Error(`No number was found: ${JSON.stringify(connection.steps)}`)
  // Slower than Meta allows, so that faults happen while messages are sent.
  await world
    .database()
    .ownerPool.query('update senders set rate_per_second = $2 where id = $1', [number._id, ratePerSecond])
  await world.api.call('wabas.activate', { body: { id: number._id, isActive: true } })
  return number
}

const templates = new WeakMap<World, string>()

/** Meta refuses a second template with the same text. */
async function templateOf(world: World): Promise<string> {
  const known = templates.get(world)
  if (known) return known
  const created = await approveTemplate(world)
  templates.set(world, created)
  return created
}

async function approveTemplate(world: World): Promise<string> {
  const { _id } = await world.api.call<WhatsappTemplate>('waTemplates.create', {
    body: {
      waba_id: demoAccount.wabaId,
      name: 'chaos_order',
      language: 'en',
      category: 'UTILITY',
      components: {
        body: 'Hello {{1}}, your order with the code {{2}} is ready and waits for you at our store in Pune.',
        samples: [
          { name: '1', sample: 'Asha' },
          { name: '2', sample: '1234' },
        ],
      },
    },
  })
  const template = await settled(
    () => world.api.call<WhatsappTemplate>('waTemplates.get', { path: { id: _id } }),
    ({ status }) => status !== 'PENDING',
  )
  if (template.status !== 'APPROVED') throw new Error(`The template is ${template.status}`)
  return _id
}
