import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import type { Account } from '../../testing/builders.ts'
import { issue } from '../balance/index.ts'
import { today } from './test-reports.ts'

export type SentCampaign = { id: string; audienceId: string; smsSender: string; createdOn: string }

const names = ['=cmd()', '+1', '-1', '@SUM(A1)', String.raw`"Q", \R`]
const smsPrice = 1250
const whatsappPrice = 7800
const sentAt = new Date(`${today}T04:30:00Z`)
const clickedAt = `${today}T05:00:00Z`
const lastClickedAt = `${today}T06:00:00Z`
const deliveredAt = new Date(`${today}T04:30:02.900Z`)

/**
 * A campaign with five recipients: delivered; refunded and delivered by a second channel; in flight; failed without refund;
 * skipped. The first two clicked the link of the message they got. Of the account of a manager also two single messages.
 */
export async function buildSent(
  database: Database,
  { owner, name }: { owner: Account; name: string },
): Promise<SentCampaign> {
  return asSystem(database, async (db) => {
    const sender = await addSender(db, owner, 'sms')
    const line = await addSender(db, owner, 'whatsapp')
    const { id, audienceId, createdOn } = await addCampaign(db, owner, name)
    await addLegs(db, owner, { id, sender, line })
    await addMessages(db, owner, { id, sender, line, createdOn })
    await addClicks(db, owner, id)
    await addMoney(db, owner, id)
    if (owner.role === 'manager') await addSingles(db, owner, { sender, createdOn })
    await addCounts(db, owner, { id, sender, line })
    return { id, audienceId, smsSender: sender, createdOn }
  })
}

async function addSender(db: Db, { organizationId, id }: Account, channel: 'sms' | 'whatsapp'): Promise<string> {
  const [provider, sender] = [newId(), newId()]
  await db
    .insertInto('provider_accounts')
    .values({
      organization_id: organizationId,
      id: provider,
      channel,
      provider: channel === 'sms' ? 'http-gateway' : 'cloud-api',
      name: 'Test',
      config: '{}',
      callback_key: newId(),
    })
    .execute()
  await db
    .insertInto('senders')
    .values({
      organization_id: organizationId,
      created_by: id,
      id: sender,
      provider_account_id: provider,
      channel,
      name: channel === 'sms' ? `Main ${sender}` : 'Line',
      headers: channel === 'sms' ? ['CARLLN'] : [],
    })
    .execute()
  return sender
}

async function addCampaign(db: Db, { organizationId: organization_id, id: created_by, path }: Account, name: string) {
  const [id, audienceId, file] = [newId(), newId(), newId()]
  const createdOn = new Date().toISOString().slice(0, 10)
  await db
    .insertInto('files')
    .values({
      organization_id,
      id: file,
      purpose: 'audience',
      name: 'people.csv',
      mime_type: 'text/csv',
      size_bytes: 1,
      sha256: Buffer.alloc(32),
      storage_key: 'none',
      created_by,
    })
    .execute()
  await db
    .insertInto('audiences')
    .values({
      organization_id,
      id: audienceId,
      path,
      status: 'ready',
      file_id: file,
      file_name: 'people.csv',
      format: 'csv',
      columns: ['Name', 'Mobile'],
      phone_column: 1,
      total: names.length,
      accepted: names.length,
      created_by,
    })
    .execute()
  await db
    .insertInto('recipients')
    .values(
      names.map((each, seq) => ({
        organization_id,
        audience_id: audienceId,
        seq,
        phone: 919_876_500_000 + seq,
        variables: [each, `987650000${seq}`],
      })),
    )
    .execute()
  await db
    .insertInto('campaigns')
    .values({
      organization_id,
      id,
      path,
      name,
      channel: 'sms',
      status: 'running',
      audience_id: audienceId,
      total: names.length,
      created_on: createdOn,
      created_by,
      started_at: sentAt,
    })
    .execute()
  return { id, audienceId, createdOn }
}

async function addLegs(
  db: Db,
  { organizationId: organization_id }: Account,
  { id: campaign_id, sender, line }: { id: string; sender: string; line: string },
) {
  const leg = { organization_id, campaign_id }
  await db
    .insertInto('campaign_legs')
    .values([
      {
        ...leg,
        leg: 0,
        channel: 'sms',
        sender_id: sender,
        content: '{"header": "CARLLN"}',
        price: smsPrice,
        category: 'promotional',
        country: 'IN',
      },
      { ...leg, leg: 1, draft_leg: 1, channel: 'whatsapp', sender_id: line, content: '{}', price: whatsappPrice },
    ])
    .execute()
}

async function addMessages(
  db: Db,
  { organizationId: organization_id }: Account,
  sent: { id: string; sender: string; line: string; createdOn: string },
) {
  const message = (seq: number) => ({
    organization_id,
    campaign_id: sent.id,
    created_on: sent.createdOn,
    left_on: today,
    sender_id: sent.sender,
    phone: 919_876_500_000 + seq,
    seq,
    parts: 1,
    price: smsPrice,
  })
  await db
    .insertInto('messages')
    .values([
      { ...message(0), status: 'delivered', previous_status: 'sent', sent_at: sentAt, delivered_at: deliveredAt },
      {
        ...message(1),
        status: 'failed',
        previous_status: 'sent',
        billable_on: 'delivered',
        reason: 'dlt_template',
        code: '633',
        sent_at: sentAt,
        failed_at: deliveredAt,
      },
      {
        ...message(1),
        leg: 1,
        sender_id: sent.line,
        price: whatsappPrice,
        status: 'read',
        previous_status: 'delivered',
        sent_at: sentAt,
        read_at: deliveredAt,
      },
      { ...message(2), status: 'sent', sent_at: sentAt },
      { ...message(3), status: 'failed', previous_status: 'sent', reason: 'number_unreachable', sent_at: sentAt },
      { ...message(4), status: 'skipped', reason: 'missing_variable', price: 0 },
    ])
    .execute()
}

async function addClicks(db: Db, { organizationId: organization_id }: Account, campaign_id: string) {
  const link = { organization_id, campaign_id, position: 0, variable: 'value1', host: 'go.shop.example' }
  const links = await db
    .insertInto('campaign_links')
    .values([
      { ...link, leg: 0, url: 'https://shop.example/sms' },
      { ...link, leg: 1, url: 'https://shop.example/whatsapp' },
    ])
    .returning('number')
    .execute()
  const click = { organization_id, first_at: new Date(clickedAt), last_at: new Date(lastClickedAt) }
  await db
    .insertInto('link_clicks')
    .values(
      links.map(({ number }, seq) => ({ ...click, number, seq, clicks: 2 - seq, device: seq === 0 ? 'ios' : 'other' })),
    )
    .execute()
}

/** What the engine enters for these messages. */
async function addMoney(db: Db, { organizationId, id: accountId }: Account, campaignId: string) {
  await issue(db, {
    issuer: { organizationId, accountId },
    organizationId,
    accountId: organizationId,
    amount: 1_000_000,
    opKey: newId(),
    reference: 'x',
  })
  const paid = 4 * smsPrice + whatsappPrice
  await sql`
    select post_entry(${organizationId}::uuid, ${`capture:${campaignId}:0:0`}, 'capture', balance, spent, ${paid}::bigint, ${campaignId}),
      post_entry(${organizationId}::uuid, ${`refund:${newId()}:${campaignId}:0`}, 'refund', spent, balance, ${smsPrice}::bigint, ${campaignId})
    from (select ledger_account_of(${organizationId}::uuid, ${organizationId}::uuid, 'balance') as balance,
      ledger_account_of(${organizationId}::uuid, ${organizationId}::uuid, 'spent') as spent) account`.execute(db)
}

async function addSingles(
  db: Db,
  { organizationId: organization_id, id: account_id, path }: Account,
  { sender, createdOn: created_on }: { sender: string; createdOn: string },
) {
  for (const isDelivered of [true, false]) {
    const id = newId()
    const phone = 919_876_500_100
    await db
      .insertInto('single_sends')
      .values({
        organization_id,
        id,
        created_on,
        sender_id: sender,
        account_id,
        path,
        kind: 'api',
        phone,
        header: 'CARLLN',
        text: 'Hello',
        reference: 'order-1',
      })
      .execute()
    await db
      .insertInto('messages')
      .values({
        organization_id,
        campaign_id: id,
        created_on,
        left_on: today,
        sender_id: sender,
        phone,
        seq: 0,
        parts: 1,
        price: isDelivered ? smsPrice : 0,
        status: isDelivered ? 'delivered' : 'failed',
        reason: isDelivered ? null : 'invalid_number',
      })
      .execute()
  }
}

/** What the engine counts for these messages. */
async function addCounts(
  db: Db,
  { organizationId, id: accountId }: Account,
  { id, sender, line }: { id: string; sender: string; line: string },
) {
  const wasAccepted = sql`(status in ('sent', 'delivered', 'read') or (status = 'failed' and previous_status is not null))`
  const count = (status: string) => sql`count(*) filter (where status = ${status})`
  const charged = sql`coalesce(sum(price) filter (where ${wasAccepted}), 0)`
  await sql`
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, sender_id, left_on, created_on, kind, category, country,
      submitted, sent, delivered, read, failed, skipped, parts, cost, refunded)
    select ${organizationId}::uuid, case when is_campaign then ${id}::uuid end, leg, ${accountId}::uuid,
      (case when sender_id = ${line}::uuid then 'whatsapp' else 'sms' end)::channel, sender_id, left_on,
      case when not is_campaign then created_on end, case when not is_campaign then 'api' end,
      case when not is_campaign then 'transactional' end, case when not is_campaign then 'IN' end,
      count(*) filter (where ${wasAccepted}), ${count('sent')}, ${count('delivered')}, ${count('read')}, ${count('failed')}, ${count('skipped')},
      coalesce(sum(parts) filter (where ${wasAccepted}), 0), ${charged}, ${charged} - sum(charge_of(status, price, billable_on))
    from (select *, campaign_id = ${id}::uuid as is_campaign from messages
      where organization_id = ${organizationId}::uuid and sender_id in (${sender}::uuid, ${line}::uuid)) message
    group by is_campaign, leg, sender_id, left_on, created_on`.execute(db)
}
