import type { Campaign } from '@carillon/contract/campaign-records'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { demoPartner } from '@carillon/simulator/rbm/demo-agent'
import { loadAudience, nameAndCode, prepare, smsLeg, validated } from './campaign.ts'
import { callSimulator } from './simulator.ts'
import { connectWhatsapp } from './whatsapp.ts'
import type { World } from './world.ts'

/** The simulated Google decides by the last four digits who has no RCS, and whose phone is off. */
const absent = '0404'
const offline = '0001'
/** Off, and Google revokes the message when its validity ends. */
const expiring = '0003'
/** Without WhatsApp in the simulated Meta; with RCS. */
const withoutWhatsapp = '0026'
const present = '1200'

/** One in ten has no RCS, one in fifty has no WhatsApp either, one in twenty has the phone off. None is a landline. */
export function rcsNumbers(count: number): string[] {
  const endingOf = (index: number) => {
    if (index % 50 === 9) return withoutWhatsapp
    if (index % 10 === 3) return absent
    if (index % 40 === 7) return offline
    return index % 40 === 27 ? expiring : present
  }
  return Array.from({ length: count }, (_, index) => `+919${70_000 + index}${endingOf(index)}`)
}

type RcsStorm = { phones: readonly string[]; ratePerSecond: number; afterSeconds: number; overWhatsapp: boolean }

/** A campaign over the simulated Google with failover to SMS, or to WhatsApp and then to SMS. */
export async function startRcsCampaign(world: World, storm: RcsStorm): Promise<string> {
  const { phones, ratePerSecond, afterSeconds, overWhatsapp } = storm
  await removeRcs(
    world,
    phones.filter((phone) => phone.endsWith(withoutWhatsapp)),
  )
  const bot = await connectBot(world, ratePerSecond)
  const template = await createTemplate(world)
  const whatsapp = overWhatsapp ? await connectWhatsapp(world, ratePerSecond) : undefined
  const sms = await prepare(world, 'smpp', ratePerSecond)
  const entryConditions = [{ type: 'not_reachable_on_channel' }, { type: 'undelivered_after', afterSeconds }]
  const draft = await world.api.call<{ _id: string }>('drafts.create', {
    body: {
      campaignName: `Storm over rcs${overWhatsapp ? ' and whatsapp' : ''}`,
      audienceId: await loadAudience(world, phones),
      legs: [
        { channel: 'rcs', senderId: bot._id, templateId: template._id, values: { variables: nameAndCode } },
        ...(whatsapp ? [{ ...whatsapp, entryConditions }] : []),
        { ...smsLeg(sms), entryConditions },
      ],
    },
  })
  await world.api.call<Campaign>('drafts.validate', { path: { id: draft._id } })
  await validated(() => world.api.call<Campaign>('campaigns.get', { path: { id: draft._id } }))
  await world.api.call('campaigns.start', { path: { id: draft._id }, body: {} })
  return draft._id
}

async function removeRcs(world: World, phones: readonly string[]): Promise<void> {
  for (const phone of phones) await callSimulator(world, `/api/rbm/people/${phone.slice(1)}`, { isRcs: false })
}

/** The simulator's launched bot; a second campaign uses the same one. */
export async function connectBot(world: World, ratePerSecond: number): Promise<RcsBot> {
  await callSimulator(world, '/api/rbm/settings', { webhookMostRetryMs: 2000 })
  const { agentId: botId } = demoPartner
  const known = (await world.api.call<RcsBot[]>('bots.own')).find((bot) => bot.botId === botId)
  if (known) return known
  const keyFile = JSON.stringify(await callSimulator(world, '/api/rbm/service-account'))
  const apiUrl = `http://127.0.0.1:${world.simulatorPorts.http}/rbm`
  await world.admin.call('rcsPartner.set', { body: { keyFile, apiUrl, managementUrl: `${apiUrl}/management` } })
  const bot = await world.admin.call<RcsBot>('bots.create', {
    body: { organizationId: world.organizationId, provider: 'rbm', botId, ratePerSecond },
  })
  await world.admin.call('bots.registerWebhook', { path: { id: bot._id } })
  await world.api.call('bots.setStatus', { body: { botId, botStatus: 'active' } })
  return bot
}

async function createTemplate(world: World): Promise<RcsTemplate> {
  return world.api.call<RcsTemplate>('rcsTemplates.create', {
    body: {
      name: `chaos_rcs_${Date.now()}`,
      category: 'TRANSACTION',
      type: 'text_message',
      textMessageContent: 'Hello {{name}}, your order with the code {{code}} is ready.',
    },
  })
}
