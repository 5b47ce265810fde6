import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { WhatsappTemplate, WhatsappTemplateInput } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { z } from 'zod'
import { asSystem } from '../db/pool.ts'
import { until } from './until.ts'
import type { WhatsappServer } from './whatsapp-server.ts'

type Ask = WhatsappServer['ask']

/** An English template approved by Meta. */
export async function buildApprovedTemplate(
  ask: Ask,
  template: Omit<z.input<typeof WhatsappTemplateInput>, 'language'>,
): Promise<WhatsappTemplate> {
  const { _id } = await ask('waTemplates.create', { body: { language: 'en', ...template } })
  const read = () => ask('waTemplates.get', { path: { id: _id } })
  await until(async () => (await read()).status === 'APPROVED', 'approval')
  return read()
}

/** An approved template without variables, which is no marketing. */
export function buildNotice(ask: Ask, waba_id: string): Promise<WhatsappTemplate> {
  return buildApprovedTemplate(ask, {
    waba_id,
    name: 'closed_on_sunday',
    category: 'UTILITY',
    components: { body: 'Our store in Pune is closed on Sunday for stock taking.' },
  })
}

/** An SMS account on the simulator's gateway with a template, for failover. */
export async function connectSmsBehind(
  { simulator, ask }: Pick<WhatsappServer, 'simulator' | 'ask'>,
  template: Pick<SmsTemplate, 'name' | 'body' | 'variables'>,
): Promise<{ smsAccount: SmsAccount; smsTemplate: SmsTemplate }> {
  const config = {
    url: `http://127.0.0.1:${simulator.httpPort}/gateway/send`,
    bodyTemplate: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","ref":"{{reference}}","dlrUrl":"{{reportUrl}}"}',
    auth: 'basic',
    authUser: 'carillon',
    authSecret: 'simulator',
    reportReference: 'ref',
  }
  const input = { name: 'Backup', provider: 'http-gateway', headers: ['ACMERT'], ratePerSecond: 500, config }
  const smsAccount = await ask('smsAccounts.create', { body: input })
  await ask('smsAccounts.activate', { body: { id: smsAccount._id, isActive: true } })
  const body = { smsAccountId: smsAccount._id, header: 'ACMERT', category: 'service_implicit' as const, ...template }
  return { smsAccount, smsTemplate: await ask('smsTemplates.create', { body }) }
}

/** Adds an SMS rate to the fixture's WhatsApp rates. */
export async function addSmsRate({ server }: Pick<WhatsappServer, 'server'>): Promise<void> {
  await asSystem(server.database, async (db) => {
    const { id, organization_id } = await db.selectFrom('rate_cards').selectAll().executeTakeFirstOrThrow()
    await db
      .insertInto('rates')
      .values({ organization_id, rate_card_id: id, channel: 'sms', category: '*', price: 1250, billable_on: 'sent' })
      .execute()
  })
}

/** An uploaded file of recipients; other values are in a column called `name`. */
export function fileOfPeople(phones: readonly string[]) {
  const lines = phones.map((phone, index) => `${phone},Person ${index}`)
  return { file: { name: 'people.csv', content: ['phone,name', ...lines, ''].join('\n') } }
}

/** An audience of these recipients, all accepted. */
async function buildAudience(ask: Ask, phones: readonly string[]): Promise<string> {
  const { _id } = await ask('audience.create', {
    body: { defaultCountry: 'IN' },
    files: fileOfPeople(phones),
  })
  const read = () => ask('audience.get', { path: { id: _id } })
  await until(async () => (await read()).status === 'ready', 'the audience')
  return _id
}

/** A draft of a campaign to these recipients. */
export async function buildDraft(
  ask: Ask,
  phones: readonly string[],
  draft: Pick<z.input<typeof CampaignDraft>, 'legs'> & Partial<z.input<typeof CampaignDraft>>,
): Promise<SavedDraft> {
  const audienceId = await buildAudience(ask, phones)
  return ask('drafts.create', { body: { campaignName: 'Closed on Sunday', audienceId, ...draft } })
}

/** The campaign of a draft, once its validation has ended. */
export async function validateDraft(ask: Ask, id: string): Promise<CampaignDetail> {
  const path = { id }
  await ask('drafts.validate', { path })
  await until(async () => (await ask('campaigns.get', { path })).status !== 'validating', 'validation')
  return ask('campaigns.get', { path })
}
