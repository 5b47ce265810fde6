import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { newId, newToken, sha256 } from '../lib/ids.ts'
import { createAccount, type CreatedAccount, type NewAccount } from '../modules/accounts/index.ts'
import { recordAudit } from '../modules/audit/index.ts'
import { notify } from '../modules/notifications/index.ts'
import type { Cast } from './cast.ts'

/**
 * More users of the main organisation and more customers of the reseller: one suspended, one pending approval, two pending
 * invitations, limits that are nearly reached.
 */
export async function addTree(db: Db, cast: Cast, passwordHash: string): Promise<void> {
  const add = async (account: Omit<NewAccount, 'passwordHash' | 'email'>): Promise<CreatedAccount> => {
    const created = await createAccount(db, { ...account, email: `${account.username}@demo.test`, passwordHash })
    await recordAudit(db, {
      organizationId: created.organizationId,
      actorId: account.parent?.id,
      action: 'account.created',
      object: { type: 'account', id: created.id },
      details: { type: created.role },
    })
    return created
  }
  await addPeople(db, cast, add)
  await addCustomers(db, cast, add)
  await addInvitations(db, cast)
  await addLimits(db, cast)
  await db.updateTable('accounts').set({ may_impersonate: true }).where('id', '=', cast.reseller.id).execute()
}

type Add = (account: Omit<NewAccount, 'passwordHash' | 'email'>) => Promise<CreatedAccount>

async function addPeople(db: Db, { manager, departmentHead }: Cast, add: Add) {
  const sending = ['campaign', 'template'] as const
  await add({ username: 'neha', name: 'Neha Desai', role: 'user', parent: departmentHead, modules: sending })
  const stores = await add({
    username: 'sanjay',
    name: 'Sanjay Rao',
    role: 'department_head',
    parent: manager,
    modules: [...sending, 'agent'],
    phone: '+919820012345',
  })
  await add({ username: 'fatima', name: 'Fatima Sheikh', role: 'user', parent: stores, modules: ['campaign'] })
  const left = await add({ username: 'kiran', name: 'Kiran Shah', role: 'user', parent: stores, modules: [] })
  await suspend(db, { account: left, by: manager, reason: 'Left the company in spring' })
}

async function addCustomers(db: Db, { reseller }: Cast, add: Add) {
  const customer = { role: 'manager', parent: reseller, modules: ['campaign', 'template', 'chat', 'agent'] } as const
  const clinics = await add({ ...customer, username: 'sahyadri', name: 'Sahyadri Clinics', phone: '+912025531000' })
  await add({ username: 'anita', name: 'Anita Kale', role: 'user', parent: clinics, modules: ['campaign'] })
  await addUse(db, clinics, [310, 295, 402, 377, 350, 421])
  const travels = await add({ ...customer, username: 'konkan-travels', name: 'Konkan Travels' })
  await suspend(db, { account: travels, by: reseller, reason: 'Invoice of last month is open' })
  await add({ username: 'west', name: 'Westcoast Messaging', role: 'reseller', parent: reseller, modules: [] })

  const waiting = await add({
    username: 'lotus-sarees',
    name: 'Lotus Sarees',
    role: 'user',
    parent: reseller,
    modules: [],
    isFounder: true,
    status: 'pending',
  })
  await notify(db, [
    {
      organizationId: reseller.organizationId,
      accountId: reseller.id,
      kind: 'account_registered',
      title: 'Lotus Sarees registered',
      description: 'Needs approval: accept or reject it.',
      link: { type: 'account', id: waiting.id },
      eventKey: `account_registered:${waiting.id}`,
    },
  ])
}

type Suspension = { account: CreatedAccount; by: CreatedAccount; reason: string }

async function suspend(db: Db, { account, by, reason }: Suspension) {
  await db
    .updateTable('accounts')
    .set({ status: 'suspended', status_reason: reason })
    .where('id', '=', account.id)
    .execute()
  await recordAudit(db, {
    organizationId: account.organizationId,
    actorId: by.id,
    action: 'account.suspended',
    object: { type: 'account', id: account.id },
    details: { before: 'active', reason },
  })
}

/** Past days of a small customer. */
async function addUse(db: Db, { id }: CreatedAccount, sent: readonly number[]) {
  for (const [index, count] of sent.entries())
    await sql`
      insert into daily_counters (organization_id, account_id, day, channel, submitted, sent, delivered, failed, parts, cost)
      select organization_id, id, local_day(now(), timezone) - ${sent.length - index}::int, 'sms',
        ${count}::bigint, 0, ${count - Math.round(count / 40)}::bigint, ${Math.round(count / 40)}::bigint, ${count}::bigint, ${count * 1250}::bigint
      from accounts where id = ${id}::uuid`.execute(db)
}

async function addInvitations(db: Db, { manager, reseller }: Cast) {
  const invite = (by: CreatedAccount, email: string, role: 'user' | 'manager') => ({
    organization_id: by.organizationId,
    id: newId(),
    path: by.path,
    parent_id: by.id,
    token_hash: sha256(newToken()),
    email,
    role,
    modules: ['campaign', 'template'],
    created_by: by.id,
    expires_at: sql<Date>`now() + interval '6 days'`,
    created_at: sql<Date>`now() - interval '1 day'`,
  })
  await db
    .insertInto('invitations')
    .values([
      invite(manager, 'vikram.joshi@acme-retail.test', 'user'),
      invite(reseller, 'office@nashik-vineyards.test', 'manager'),
    ])
    .execute()
}

async function addLimits(db: Db, { manager, manager2, reseller }: Cast) {
  const limit = (account: CreatedAccount, key: string, value: number) => ({
    organization_id: account.organizationId,
    account_id: account.id,
    key,
    value,
    set_by: reseller.id,
  })
  await db
    .insertInto('account_limits')
    .values([
      limit(manager, 'users', 25),
      limit(manager, 'messages_per_day', 200_000),
      limit(manager2, 'users', 2),
      limit(manager2, 'messages_per_day', 5000),
      limit(manager2, 'spend_per_day', 500),
    ])
    .execute()
}
