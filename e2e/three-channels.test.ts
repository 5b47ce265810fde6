/**
 * One campaign to 1,000 people over RCS, WhatsApp and SMS: what the review promised is found on the phones, in the report and in the
 * statement.
 */
import type { StatementEntry } from '@carillon/contract/billing'
import type { Estimate, SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { AcceptedMessage, PublicMessage, PublicTemplateRecord } from '@carillon/contract/public-message-records'
import type { TemplateFamily } from '@carillon/contract/template-families'
import { demoPassword } from '@carillon/server/demo/cast'
import { createClient, type Client } from '@carillon/server/demo/client'
import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }), {
  rbm: { reviewMs: 30, launchMs: 30, testerMs: 20, readShare: 0 },
})

const numbersEnding = (count: number, ending: string) =>
  Array.from({ length: count }, (_, index) => `9191${String(index).padStart(4, '0')}${ending}`)

/** By the best channel of the phone. The last four digits: 0404 has no RCS, 0026 is not on WhatsApp. */
const numbers = {
  rcs: numbersEnding(600, '4200'),
  whatsapp: numbersEnding(250, '0404'),
  sms: numbersEnding(150, '0026'),
}

const fromColumn = (column: number) => ({ column, fallback: '-' })

/** A carousel, a WhatsApp template and a text that say the same, as a family. */
async function linkTemplates(client: Client): Promise<TemplateFamily> {
  const rcs = await client.call<{ templates: RcsTemplate[] }>('rcsTemplates.list', { query: { limit: '100' } })
  const whatsapp = await client.call<{ data: WhatsappTemplate[] }>('waTemplates.list', { query: { limit: '100' } })
  const sms = await client.call<{ templates: SmsTemplate[] }>('smsTemplates.list', { query: { limit: '100' } })
  const renditions = [
    { channel: 'rcs', templateId: rcs.templates.find(({ type }) => type === 'carousel')?._id },
    { channel: 'whatsapp', templateId: whatsapp.data.find(isShipped)?._id },
    { channel: 'sms', templateId: sms.templates.find(({ name }) => name === 'order_update')?._id },
  ]
  return client.call<TemplateFamily>('families.create', { body: { name: 'Gift guide', renditions } })
}

const isShipped = ({ name, language }: Pick<WhatsappTemplate, 'name' | 'language'>) =>
  name === 'order_shipped' && language === 'en'

async function buildDraft(client: Client, family: TemplateFamily): Promise<SavedDraft> {
  const bots = await client.call<RcsBot[]>('bots.own')
  const [connection] = await client.call<WhatsappConnection[]>('wabas.list')
  const accounts = await client.call<SmsAccount[]>('smsAccounts.list')
  const senders = {
    rcs: bots.find(({ botId }) => botId === site.stack.simulator.rbm.agentId)?._id,
    whatsapp: connection?.numbers[0]?._id,
    sms: accounts.find(({ headers }) => headers.includes('ACMERT'))?._id,
  }
  const values = {
    rcs: { variables: [fromColumn(1)] },
    whatsapp: { body: [fromColumn(1), fromColumn(2), fromColumn(3)], urls: [fromColumn(2)] },
    sms: { variables: [fromColumn(1), fromColumn(2), fromColumn(3)] },
  }
  const legOf = (channel: 'rcs' | 'whatsapp' | 'sms') => ({
    channel,
    senderId: senders[channel],
    templateId: family.renditions.find((rendition) => rendition.channel === channel)?.templateId,
    values: values[channel],
    entryConditions: channel === 'rcs' ? [] : [{ type: 'not_reachable_on_channel' }],
  })
  const people = Object.values(numbers)
    .flat()
    .map((number, index) => `+${number},Person ${index},A-${index},500`)
  const audience = await client.call<{ _id: string }>('audience.create', {
    body: { defaultCountry: 'IN' },
    file: { name: 'people.csv', content: ['phone,name,order,amount', ...people, ''].join('\n') },
  })
  return client.call<SavedDraft>('drafts.create', {
    body: {
      campaignName: 'Gift guide for all',
      audienceId: audience._id,
      hasConsent: true,
      schedule: { timezone: 'Asia/Kolkata' },
      isUnified: true,
      legs: [legOf('rcs'), legOf('whatsapp'), legOf('sms')],
    },
  })
}

test('split and cost of the review are those of the phones, the report and the statement', async () => {
  const { simulator } = site.stack
  const { control } = simulator.rbm
  for (const number of numbers.sms) control.people.change(number, { isRcs: false })
  const client = await createClient(site.url, { username: 'manager', password: demoPassword })
  const family = await linkTemplates(client)
  expect(family).toMatchObject({ isReady: true })
  const path = { id: (await buildDraft(client, family))._id }
  // Nothing is checked before the file is read.
  await expect
    .poll(() => client.call('drafts.checkReach', { path }), { timeout: 30_000 })
    .toMatchObject({ legs: [{ channel: 'rcs', status: 'done', people: 1000, reachable: 600 }] })
  const { legs, range } = await client.call<Estimate>('drafts.estimate', { path })
  expect(legs).toMatchObject([
    { channel: 'rcs', starters: 600, expectedDelivered: 600, basis: 'reach' },
    { channel: 'whatsapp', starters: 400 },
    { channel: 'sms', starters: 0 },
  ])
  await client.call('drafts.validate', { path })
  const read = () => client.call<CampaignDetail>('campaigns.get', { path })
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('ready')
  await client.call('campaigns.start', { path, body: {} })
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('completed')
  await expect.poll(async () => (await read()).stats.sent, { timeout: 30_000 }).toBe(0)

  const sent = await read()
  expect(sent).toMatchObject({
    both: 0,
    legs: [
      { channel: 'rcs', starters: 600, delivered: 600 },
      { channel: 'whatsapp', starters: 400, delivered: 250, failed: 150 },
      { channel: 'sms', starters: 0, entered: 150, delivered: 150 },
    ],
  })
  expect(sent.legs[0]?.cost).toBe(legs[0]?.expectedCost)
  // Everyone has one message, on the best channel of the phone.
  for (const [channel, phones] of Object.entries(numbers))
    for (const number of phones)
      expect(simulator.handset.find(number)?.messages.map((message) => message.channel)).toEqual([channel])

  const bill = sent.stats.cost - sent.stats.refunded
  expect(bill).toBeGreaterThanOrEqual(range.minimum)
  expect(bill).toBeLessThanOrEqual(range.maximum)
  const { entries } = await client.call<{ entries: StatementEntry[] }>('statement.list', { query: { limit: '100' } })
  const charged = entries.filter(({ campaignId }) => campaignId === path.id)
  expect(charged.reduce((sum, { amount }) => sum - amount, 0)).toBeCloseTo(bill, 1)

  // A person taps a suggestion, which is an answer to the campaign.
  const [number = ''] = numbers.rcs
  const [message] = control.listMessages({ since: 0, limit: 10, number }).messages
  control.people.tap({ number, agentId: simulator.rbm.agentId }, { messageId: message?.id ?? '', suggestion: 0 })
  await expect.poll(async () => (await read()).stats.replied, { timeout: 10_000 }).toBe(1)

  const { page } = await site.visit()
  await openAs(page, 'manager', `/organization/campaigns/individual-reports?c=${path.id}`)
  const channels = page.getByRole('region', { name: 'Channels' })
  for (const name of [/^RCS.*600/, /^WhatsApp.*250/, /^SMS.*150/]) await channels.getByRole('row', { name }).waitFor()
})

test('a single message falls back to the next channel until it arrives', async () => {
  const { simulator } = site.stack
  // On SMS alone; on WhatsApp, but not on RCS; on RCS.
  const [sms, whatsapp, rcs] = ['919199000026', '919199010404', '919199024200']
  simulator.rbm.control.people.change(sms, { isRcs: false })
  const client = await createClient(site.url, { username: 'manager', password: demoPassword })
  const { templates } = await client.call<{ templates: PublicTemplateRecord[] }>('publicTemplates.list', { query: {} })
  const shipped = templates.find(isShipped)
  const values = Object.fromEntries(shipped?.values.map((name) => [name, 'A-17']) ?? [])
  const send = (to: string) =>
    client.call<AcceptedMessage>('publicMessages.send', {
      body: {
        to: `+${to}`,
        channel: 'rcs',
        text: 'Your parcel comes on Friday',
        legs: [
          { channel: 'whatsapp', template: { name: 'order_shipped', language: 'en', values } },
          { channel: 'sms', from: 'ACMERT', text: 'Your parcel comes on Friday' },
        ],
      },
    })
  const read = (id: string) => client.call<PublicMessage>('publicMessages.get', { path: { id } })
  const channelsOf = (number: string) => simulator.handset.find(number)?.messages.map(({ channel }) => channel) ?? []
  const ids = new Map<string, string>()
  for (const number of [sms, whatsapp, rcs]) ids.set(number, (await send(number)).id)
  await expect.poll(() => channelsOf(rcs), { timeout: 20_000 }).toEqual(['rcs'])
  await expect.poll(() => channelsOf(whatsapp), { timeout: 20_000 }).toEqual(['whatsapp'])
  await expect.poll(() => channelsOf(sms), { timeout: 20_000 }).toEqual(['sms'])
  const onSms = await read(ids.get(sms) ?? '')
  expect(onSms).toMatchObject({ status: 'failed', legs: [{ channel: 'whatsapp' }, { channel: 'sms' }] })
  const last = onSms.legs?.[1]?.id ?? ''
  await expect.poll(async () => (await read(last)).status, { timeout: 10_000 }).toBe('delivered')
  expect(await read(ids.get(rcs) ?? '')).not.toHaveProperty('legs')
  // Those that arrived are not followed by anything.
  const waiting = async () => (await site.stack.database.systemPool.query('select 1 from single_failovers')).rows.length
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
})
