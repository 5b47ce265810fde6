import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import type { Audience } from '@carillon/contract/audience'
import type { Campaign } from '@carillon/contract/campaign-records'
import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { SmsTemplate, SmsTemplateInput } from '@carillon/contract/channels/sms/sms-templates'
import { demoPassword } from './cast.ts'
import { createClient, type Client } from './client.ts'
import { customerFile } from './people.ts'
import { playInboxStory } from './inbox-story.ts'
import { playRcsStory } from './rcs-story.ts'
import { connectRcs, type SimulatedRbm } from './rcs.ts'
import { unrecorded, type StoryProgress } from './story-progress.ts'
import { playWhatsappStory } from './whatsapp-story.ts'
import { connectWhatsapp, type SimulatedGraph } from './whatsapp.ts'

export type StoryOptions = {
  /** Base URL of the API. */
  url: string
  simulator: { smscPort: number; httpPort: number; graph: SimulatedGraph; rbm: SimulatedRbm }
  /** Steps that an earlier start did are not repeated. */
  progress?: StoryProgress
}

const entityId = '1101554870000031245'

/**
 * Fills the demo through the API: accounts, templates and campaigns use the same calls as the screens, and messages are sent
 * to the simulator's phones.
 */
export async function playStory({ url, simulator, progress = unrecorded }: StoryOptions): Promise<void> {
  const manager = await signIn('manager', { url, progress })
  const wabaId = await connectWhatsapp(manager, { graph: simulator.graph, progress })
  const account = await connect(manager, {
    name: 'Primary route',
    headers: ['ACMERT', 'ACMEPR', '140001'],
    rate: 60,
    smscPort: simulator.smscPort,
  })
  const offer = await template(manager, { ...offerTemplate, smsAccountId: account })
  const shipped = await template(manager, { ...shippedTemplate, smsAccountId: account })
  await template(manager, { ...otpTemplate, smsAccountId: account })
  await template(manager, { ...hindiTemplate, smsAccountId: account })

  await send(manager, { name: 'Loyalty points statement', account, template: shipped, people: 180, seed: 1 })
  const cancelled = await send(manager, {
    name: 'Navratri last hours',
    account,
    template: shipped,
    people: 900,
    seed: 4,
  })
  await endEarly(manager, 'campaigns.discard', cancelled)
  await send(manager, { name: 'Monsoon clearance', account, template: shipped, people: 240, seed: 2 })
  const paused = await send(manager, {
    name: 'Kirana weekend offers',
    account,
    template: shipped,
    people: 3000,
    seed: 3,
  })
  await endEarly(manager, 'campaigns.pause', paused)
  await send(manager, { name: 'Kothrud store opening', account, template: shipped, people: 6000, seed: 5 })

  const scheduled = await prepare(manager, {
    name: 'Bhai Dooj gift cards',
    account,
    template: offer,
    people: 1200,
    seed: 6,
  })
  await manager.call('campaigns.schedule', {
    path: { id: scheduled },
    body: { startAt: tomorrowAt(10), timezone: 'Asia/Kolkata' },
  })
  await prepare(manager, { name: 'Cart reminder', account, template: shipped, people: 320, seed: 7 })
  const discarded = await prepare(manager, {
    name: 'Saree week lookbook',
    account,
    template: offer,
    people: 150,
    seed: 8,
  })
  await manager.call('campaigns.discard', { path: { id: discarded } })
  await playWhatsappStory(manager, {
    wabaId,
    failover: smsLeg(account, shipped),
    smsTemplates: { shipped, offer },
    audiences: {
      sent: await upload(manager, { people: 240, seed: 10, channel: 'whatsapp' }),
      draft: await upload(manager, { people: 220, seed: 11, channel: 'whatsapp' }),
    },
    phones: simulator.graph.control,
    progress,
    until,
  })
  await playInbox({ url, simulator, progress }, manager)
  await playRcs({ url, simulator, progress }, { manager, failover: smsLeg(account, shipped) })
  const audience = await upload(manager, { people: 400, seed: 9, flaws: true })
  await manager.call('drafts.create', {
    body: {
      campaignName: 'Diwali early access',
      audienceId: audience,
      legs: [smsLeg(account, offer)],
    },
  })
}

async function playInbox({ url, simulator, progress }: Required<StoryOptions>, manager: Client): Promise<void> {
  const user = await signIn('user', { url, progress })
  const departmentHead = await signIn('department-head', { url, progress })
  await playInboxStory({ manager, user, departmentHead, phones: simulator.graph.control, progress, until })
}

/** RCS bots, which the administrator creates, with templates and a campaign of the first. */
async function playRcs(
  { url, simulator, progress }: Required<StoryOptions>,
  { manager, failover }: { manager: Client; failover: object },
): Promise<void> {
  const admin = await signIn('admin', { url, progress })
  const neighbour = await signIn('manager2', { url, progress })
  const bot = await connectRcs({ admin, manager, neighbour }, simulator.rbm)
  const audienceId = await upload(manager, { people: 320, seed: 12, channel: 'rcs' })
  await playRcsStory(manager, { bot, failover, audienceId, phones: simulator.rbm.control, progress, until })
}

/**
 * A client whose writing calls are steps of the story. The key returns the first response if the process died between the
 * call and its record. Calls to a provider have none: their claim would outlive the process.
 */
async function signIn(
  username: string,
  { url, progress }: Pick<Required<StoryOptions>, 'url' | 'progress'>,
): Promise<Client> {
  const client = await createClient(url, { username, password: demoPassword })
  const callsByName = new Map<EndpointName, number>()
  return {
    async call(name, input) {
      progress.throwIfStopped()
      const endpoint: Endpoint = endpoints[name]
      if (endpoint.route.startsWith('GET ')) return client.call(name, input)
      const count = (callsByName.get(name) ?? 0) + 1
      callsByName.set(name, count)
      const step = `${username} ${name} ${count}`
      const key = endpoint.asksProvider ? {} : { idempotencyKey: `demo ${step}` }
      return progress.step(step, () => client.call(name, { ...input, ...key }))
    },
  }
}

async function connect(
  client: Client,
  { name, headers, rate, smscPort }: { name: string; headers: string[]; rate: number; smscPort: number },
): Promise<string> {
  const accounts = await client.call<SmsAccount[]>('smsAccounts.list')
  const { _id } =
    // The port may differ from that of the start which created the account, and so the request.
    accounts.find((account) => account.name === name) ??
    (await client.call<SmsAccount>('smsAccounts.create', {
      body: {
        name,
        provider: 'smpp',
        headers,
        entityId,
        ratePerSecond: rate,
        config: { host: '127.0.0.1', port: smscPort, systemId: 'carillon', password: 'simulator', window: 20 },
      },
    }))
  await client.call('smsAccounts.activate', { body: { id: _id, isActive: true } })
  return _id
}

async function template(client: Client, body: SmsTemplateInput): Promise<string> {
  return (await client.call<SmsTemplate>('smsTemplates.create', { body }))._id
}

type Plan = { name: string; account: string; template: string; people: number; seed: number }

async function send(client: Client, plan: Plan): Promise<string> {
  const id = await prepare(client, plan)
  await client.call('campaigns.start', { path: { id } })
  return id
}

/** A campaign that completed before the next start remains so. */
async function endEarly(client: Client, name: 'campaigns.discard' | 'campaigns.pause', id: string): Promise<void> {
  const { status } = await client.call<Campaign>('campaigns.get', { path: { id } })
  if (status !== 'completed') await client.call(name, { path: { id } })
}

/** Prepares a campaign up to the ready state. */
async function prepare(client: Client, { name, account, template: templateId, people, seed }: Plan): Promise<string> {
  const audienceId = await upload(client, { people, seed })
  const { _id } = await client.call<SavedDraft>('drafts.create', {
    body: { campaignName: name, audienceId, legs: [smsLeg(account, templateId)] },
  })
  await client.call('drafts.validate', { path: { id: _id } })
  await until(async () => (await client.call<Campaign>('campaigns.get', { path: { id: _id } })).status !== 'validating')
  return _id
}

async function upload(
  client: Client,
  { people, ...file }: { people: number; seed: number; flaws?: boolean; channel?: 'rcs' | 'whatsapp' },
): Promise<string> {
  const content = customerFile({ count: people, ...file })
  const { _id } = await client.call<Audience>('audience.create', {
    body: { defaultCountry: 'IN' },
    file: { name: `customers_${file.seed}.csv`, content },
  })
  await until(async () =>
    ['ready', 'failed'].includes((await client.call<Audience>('audience.get', { path: { id: _id } })).status),
  )
  return _id
}

/** Name, code and amount, as in the customer file. */
function smsLeg(senderId: string, templateId: string) {
  const variables = [
    { column: 0, fallback: 'there' },
    { column: 3, fallback: 'DIYA500' },
    { column: 4, fallback: '500' },
  ]
  return { channel: 'sms', senderId, templateId, values: { variables } }
}

const offerTemplate: Omit<SmsTemplateInput, 'smsAccountId'> = {
  name: 'diwali_early_access',
  header: 'ACMEPR',
  category: 'promotional',
  language: 'en',
  body: 'Hi {#var#}, your early access to the Acme Diwali sale is open, a day before everyone. {#var#} = Rs.{#var#} off: acme.in/d Stop: acme.in/s -Acme',
  variables: [
    { name: 'name', kind: 'var', sample: 'Priya' },
    { name: 'code', kind: 'var', sample: 'DIYA500' },
    { name: 'amount', kind: 'var', sample: '500' },
  ],
  entityId,
  dltTemplateId: '1107172648190025417',
  status: 'approved',
}
const shippedTemplate: Omit<SmsTemplateInput, 'smsAccountId'> = {
  name: 'order_update',
  header: 'ACMERT',
  category: 'service_implicit',
  language: 'en',
  body: 'Dear {#var#}, order {#var#} of Rs.{#var#} ships today. Track it at acme.in/t -Acme Retail',
  variables: [
    { name: 'name', kind: 'var', sample: 'Priya' },
    { name: 'order', kind: 'var', sample: 'A-4821' },
    { name: 'amount', kind: 'var', sample: '500' },
  ],
  entityId,
  dltTemplateId: '1107172648190025418',
  status: 'approved',
}
const otpTemplate: Omit<SmsTemplateInput, 'smsAccountId'> = {
  name: 'otp_login',
  header: 'ACMERT',
  category: 'transactional',
  language: 'en',
  body: '{#numeric#} is your Acme login code. It is valid for 10 minutes. Do not share it with anyone. -Acme Retail',
  variables: [{ name: 'code', kind: 'numeric', sample: '482913' }],
  entityId,
  dltTemplateId: '1107172648190025419',
  status: 'approved',
}
const hindiTemplate: Omit<SmsTemplateInput, 'smsAccountId'> = {
  name: 'diwali_hindi',
  header: 'ACMERT',
  category: 'service_implicit',
  language: 'hi',
  body: 'नमस्ते {#var#}, आपका ऑर्डर {#var#} आज भेजा जा रहा है। -Acme',
  variables: [
    { name: 'name', kind: 'var', sample: 'प्रिया' },
    { name: 'order', kind: 'var', sample: 'A-4821' },
  ],
  entityId,
  dltTemplateId: '1107172648190025420',
  status: 'approved',
}

/** An hour of tomorrow in India, which has no daylight saving time. */
function tomorrowAt(hour: number): string {
  const india = new Date(Date.now() + 5.5 * 3_600_000)
  return new Date(
    Date.UTC(india.getUTCFullYear(), india.getUTCMonth(), india.getUTCDate() + 1, hour - 5, -30),
  ).toISOString()
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resume) => setTimeout(resume, 100))
}
