import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'

/** The ids of one of everything that an organisation can own. */
export type Belongings = {
  account: string
  smsAccount: string
  template: string
  file: string
  audience: string
  campaign: string
  singleSend: string
}

/** Gives an account one of everything, straight into the tables, so that a test of the walls depends on no call. */
export async function buildBelongings(database: Database, owner: Account): Promise<Belongings> {
  const own = {
    account: owner.id,
    smsAccount: newId(),
    template: newId(),
    file: newId(),
    audience: newId(),
    campaign: newId(),
    singleSend: newId(),
  }
  await asSystem(database, async (db) => {
    await addSender(db, owner, own)
    await addAudience(db, owner, own)
    await addSends(db, owner, own)
  })
  return own
}

async function addSender(db: Db, { id: created_by, organizationId: organization_id }: Account, own: Belongings) {
  const by = { organization_id, created_by }
  const provider = newId()
  const content = JSON.stringify({
    header: 'CARLLN',
    body: 'Hello {#var#}, all is well.',
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
      provider: 'test',
      name: 'Test',
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
      name: 'Main',
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
      name: 'Greeting',
      status: 'approved',
      category: 'service_implicit',
      language: 'en',
      content,
    })
    .execute()
}

async function addAudience(
  db: Db,
  { id: created_by, organizationId: organization_id, path }: Account,
  own: Belongings,
) {
  const by = { organization_id, created_by }
  await db
    .insertInto('files')
    .values({
      ...by,
      id: own.file,
      purpose: 'media',
      channel: 'sms',
      name: 'people.csv',
      mime_type: 'text/csv',
      size_bytes: 1,
      sha256: createHash('sha256').digest(),
      storage_key: newId(),
    })
    .execute()
  await db
    .insertInto('audiences')
    .values({
      ...by,
      id: own.audience,
      path,
      status: 'ready',
      file_id: own.file,
      file_name: 'people.csv',
      format: 'csv',
      total: 1,
      accepted: 1,
    })
    .execute()
  await db
    .insertInto('recipients')
    .values({ organization_id, audience_id: own.audience, seq: 0, phone: 919876543210, variables: ['Asha'] })
    .execute()
}

async function addSends(db: Db, owner: Account, own: Belongings) {
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
      name: 'Diwali',
      channel: 'sms',
      status: 'draft',
      audience_id: own.audience,
    })
    .execute()
  await db
    .insertInto('messages')
    .values({ ...sent, campaign_id: own.campaign, seq: 0, status: 'sent', parts: 1, price: 1250 })
    .execute()
  await db
    .insertInto('single_sends')
    .values({ ...sent, id: own.singleSend, account_id: owner.id, path, kind: 'test', header: 'CARLLN', text: 'Hello' })
    .execute()
}

/** One hash over every row that an organisation has, in every table: equal before and after means untouched. */
export async function fingerprint(database: Database, organizationId: string): Promise<string> {
  return asSystem(database, async (db) => {
    const { rows: tables } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by c.relname
    `.execute(db)
    const hash = createHash('sha256')
    for (const { name } of tables) {
      const { rows } = await sql<{
        row: string
      }>`select t::text as row from ${sql.table(name)} t where organization_id = ${organizationId}::uuid order by 1`.execute(
        db,
      )
      hash.update(JSON.stringify([name, rows]))
    }
    return hash.digest('hex')
  })
}
