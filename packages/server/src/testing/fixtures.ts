import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { addApiRequest, addKeys } from './api-keys.ts'
import { addSmppCredential } from './smpp-credentials.ts'
import type { Account } from './builders.ts'
import { addInbox } from './inbox-fixtures.ts'
import { addMoney } from './money-fixtures.ts'
import { addRcs } from './rcs-fixtures.ts'
import { addReport, addReportSchedule } from './report-files.ts'
import { addOneTimePassword } from './one-time-passwords.ts'
import { addWebhooks } from './webhooks.ts'
import { addWhatsapp } from './whatsapp-fixtures.ts'

/** Ids of one record of every kind an organisation can own. */
export type Fixtures = {
  account: string
  organization: string
  session: string
  smsAccount: string
  template: string
  family: string
  whatsappAccount: string
  whatsappNumber: string
  whatsappTemplate: string
  whatsappCampaign: string
  rcsBot: string
  rcsRequest: string
  rcsTemplate: string
  botImage: string
  file: string
  audience: string
  campaign: string
  singleSend: string
  topUp: string
  supportRequest: string
  notification: string
  savedView: string
  invitation: string
  invoice: string
  rateCard: string
  team: string
  cannedReply: string
  /** The owner, as others of the organization may name them. */
  member: string
  conversation: string
  inboundMessage: string
  scheduledReply: string
  contact: string
  contactChange: string
  apiKey: string
  /** A call of the key. */
  apiRequest: string
  keyConfig: string
  smppCredential: string
  webhookEndpoint: string
  webhookDelivery: string
  eventListener: string
  oneTimePassword: string
  report: string
  reportSchedule: string
  reportRun: string
}

/**
 * Creates one record of every kind for an account, directly in the tables, so that isolation tests depend on no call. Every
 * text contains the mark: if another account sees it, something has leaked.
 */
export async function buildFixtures(
  database: Database,
  owner: Account,
  { mark = 'Acme' }: { mark?: string } = {},
): Promise<Fixtures> {
  const own: Marked = {
    mark,
    account: owner.id,
    organization: owner.organizationId,
    session: newId(),
    smsAccount: newId(),
    template: newId(),
    family: newId(),
    whatsappAccount: newId(),
    whatsappNumber: newId(),
    whatsappTemplate: newId(),
    whatsappCampaign: newId(),
    rcsBot: newId(),
    rcsRequest: newId(),
    rcsTemplate: newId(),
    botImage: newId(),
    file: newId(),
    audience: newId(),
    campaign: newId(),
    singleSend: newId(),
    topUp: newId(),
    supportRequest: newId(),
    notification: newId(),
    savedView: newId(),
    invitation: newId(),
    invoice: newId(),
    rateCard: newId(),
    team: newId(),
    cannedReply: newId(),
    member: owner.id,
    conversation: newId(),
    inboundMessage: newId(),
    scheduledReply: newId(),
    contact: newId(),
    contactChange: newId(),
    apiKey: newId(),
    apiRequest: newId(),
    keyConfig: newId(),
    smppCredential: newId(),
    webhookEndpoint: newId(),
    webhookDelivery: newId(),
    eventListener: newId(),
    oneTimePassword: newId(),
    report: newId(),
    reportSchedule: newId(),
    reportRun: newId(),
  }
  await asSystem(database, async (db) => {
    await addSender(db, owner, own)
    await addWhatsapp(db, owner, own)
    await addRcs(db, owner, own)
    await addAudience(db, owner, own)
    await addSends(db, owner, own)
    await addMoney(db, owner, own)
    await addSupportRequest(db, owner, own)
    await addSession(db, owner, own)
    await addInbox(db, owner, own)
    await addKeys(db, owner, own)
    await addApiRequest(db, owner, own)
    await addSmppCredential(db, owner, own)
    await addWebhooks(db, owner, own)
    await addOneTimePassword(db, owner, own)
    await addReport(db, owner, own)
    await addReportSchedule(db, owner, own)
  })
  const { mark: _, ...ids } = own
  return ids
}

type Marked = Fixtures & { mark: string }

/** Requests are numbered upwards within their organisation; counting down avoids conflicts. */
let requests = 1_000_000

async function addSender(db: Db, { id: created_by, organizationId: organization_id }: Account, own: Marked) {
  const by = { organization_id, created_by }
  const provider = newId()
  const content = JSON.stringify({
    header: 'CARLLN',
    body: `Hello {#var#}, all is well at ${own.mark}.`,
    variables: [{ name: 'name', kind: 'var', sample: 'Asha' }],
    encoding: 'gsm7',
    parts: 1,
    worstParts: 1,
  })
  await db
    .insertInto('provider_accounts')
    .values({
      organization_id,
      id: provider,
      channel: 'sms',
      provider: 'http-gateway',
      name: `Test ${own.mark}`,
      config: '{}',
      callback_key: newId(),
    })
    .execute()
  await db
    .insertInto('senders')
    .values({
      ...by,
      id: own.smsAccount,
      provider_account_id: provider,
      channel: 'sms',
      name: `Main ${own.mark}`,
      headers: ['CARLLN'],
    })
    .execute()
  await db
    .insertInto('templates')
    .values({
      ...by,
      id: own.template,
      channel: 'sms',
      sender_id: own.smsAccount,
      name: `Greeting ${own.mark}`,
      status: 'approved',
      category: 'service_implicit',
      language: 'en',
      content,
    })
    .execute()
  await db
    .insertInto('template_families')
    .values({ ...by, id: own.family, name: `Greetings ${own.mark} ${own.family}`, text: `Hello from ${own.mark}` })
    .execute()
  await db
    .insertInto('family_renditions')
    .values({ organization_id, family_id: own.family, channel: 'sms', template_id: own.template })
    .execute()
}

async function addAudience(db: Db, { id: created_by, organizationId: organization_id, path }: Account, own: Marked) {
  const by = { organization_id, created_by }
  const listFile = newId()
  for (const [id, purpose] of [
    [own.file, 'media'],
    [listFile, 'audience'],
  ] as const)
    await db
      .insertInto('files')
      .values({
        ...by,
        id,
        purpose,
        channel: purpose === 'media' ? 'sms' : null,
        name: `people ${own.mark}.csv`,
        mime_type: 'text/csv',
        size_bytes: 1,
        sha256: createHash('sha256').digest(),
        storage_key: `00/${newId()}`,
      })
      .execute()
  await db
    .insertInto('audiences')
    .values({
      ...by,
      id: own.audience,
      path,
      status: 'ready',
      file_id: listFile,
      file_name: `people ${own.mark}.csv`,
      format: 'csv',
      total: 1,
      accepted: 1,
    })
    .execute()
  await db
    .insertInto('recipients')
    .values({
      organization_id,
      audience_id: own.audience,
      seq: 0,
      phone: 919876543210,
      variables: [`Asha ${own.mark}`],
    })
    .execute()
}

async function addSends(db: Db, owner: Account, own: Marked) {
  const { id: created_by, organizationId: organization_id, path } = owner
  const created_on = new Date().toISOString().slice(0, 10)
  const sent = { organization_id, created_on, sender_id: own.smsAccount, phone: 919876543210 }
  await db
    .insertInto('campaigns')
    .values({
      organization_id,
      created_by,
      id: own.campaign,
      path,
      name: `Diwali ${own.mark}`,
      channel: 'sms',
      status: 'draft',
      audience_id: own.audience,
      draft: JSON.stringify({
        campaignName: `Diwali ${own.mark}`,
        audienceId: own.audience,
        schedule: { timezone: 'Asia/Kolkata' },
        legs: [
          {
            channel: 'sms',
            senderId: own.smsAccount,
            templateId: own.template,
            values: { variables: [{ fallback: 'you' }] },
          },
        ],
      }),
    })
    .execute()
  await db
    .insertInto('messages')
    .values({ ...sent, campaign_id: own.campaign, seq: 0, status: 'sent', parts: 1, price: 1250 })
    .execute()
  await db
    .insertInto('single_sends')
    .values({
      ...sent,
      id: own.singleSend,
      account_id: owner.id,
      path,
      kind: 'test',
      header: 'CARLLN',
      text: `Hello from ${own.mark}`,
    })
    .execute()
  await db
    .insertInto('accepted_days')
    .values({ organization_id, account_id: owner.id, day: sql<string>`current_date`, messages: 1, cost: 1250 })
    .onConflict((known) => known.doNothing())
    .execute()
}

async function addSupportRequest(db: Db, owner: Account, own: Marked) {
  const { id, organizationId: organization_id, path } = owner
  await db
    .insertInto('support_requests')
    .values({
      organization_id,
      id: own.supportRequest,
      number: (requests -= 1),
      kind: 'support',
      subject: `Help ${own.mark}`,
      category: 'other',
      priority: 'normal',
      account_id: id,
      path,
    })
    .execute()
  await db
    .insertInto('support_messages')
    .values({
      organization_id,
      id: newId(),
      request_id: own.supportRequest,
      author_id: id,
      author_name: `Name ${own.mark}`,
      direction: 'customer',
      body: `Please help ${own.mark}`,
    })
    .execute()
  await db
    .insertInto('notifications')
    .values({
      organization_id,
      id: own.notification,
      account_id: id,
      kind: 'campaign_completed',
      title: `Done ${own.mark}`,
      description: own.mark,
      event_key: own.notification,
    })
    .execute()
  await db
    .insertInto('saved_views')
    .values({
      organization_id,
      id: own.savedView,
      account_id: id,
      list: 'campaigns',
      name: `View ${own.mark} ${own.savedView}`,
      query: '',
    })
    .execute()
  await db
    .insertInto('invitations')
    .values({
      organization_id,
      id: own.invitation,
      path,
      parent_id: id,
      token_hash: createHash('sha256').update(own.invitation).digest(),
      email: `${own.mark}@test.example`,
      role: 'user',
      created_by: id,
      expires_at: '2036-01-01',
    })
    .execute()
}

async function addSession(db: Db, { id, organizationId }: Account, own: Marked) {
  await db
    .insertInto('sessions')
    .values({
      organization_id: organizationId,
      id: own.session,
      account_id: id,
      token_hash: createHash('sha256').update(own.session).digest(),
      ip: '127.0.0.1',
      user_agent: `Browser of ${own.mark}`,
      expires_at: '2036-01-01',
    })
    .execute()
}

/** Deletes everything with one of these ids. */
export async function erase({ ownerPool }: Database, { ...ids }: Partial<Fixtures>): Promise<void> {
  const { rows } = await ownerPool.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and atttypid = 'uuid'::regtype
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
  const list = `'{${Object.values(ids).join()}}'`
  const deletions = rows.map(({ name }) => `delete from ${name} where id = any(${list});`)
  // A contact consists of identities.
  deletions.push(`delete from contact_identities where contact_id = any(${list});`)
  await ownerPool.query(`begin; set local session_replication_role = replica; ${deletions.join(' ')} commit`)
}
