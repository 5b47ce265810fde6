import { Module } from '@carillon/contract/roles'
import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { createAccount, type CreatedAccount } from '../modules/accounts/index.ts'
import { hashPassword } from '../modules/auth/index.ts'
import { issue, toUnits } from '../modules/balance/index.ts'

/** Password of all demo accounts, printed at start. */
export const demoPassword = 'carillon-demo-2026'

export const hashDemoPassword = () => hashPassword(demoPassword)

export type Cast = {
  admin: CreatedAccount
  reseller: CreatedAccount
  manager: CreatedAccount
  user: CreatedAccount
  departmentHead: CreatedAccount
  /** A second organisation with a low balance. */
  manager2: CreatedAccount
}

/** A reseller with two organisations: one active, one with a low balance. */
export async function buildCast(db: Db, passwordHash: string): Promise<Cast> {
  const add = (account: {
    username: string
    name: string
    role: CreatedAccount['role']
    parent: CreatedAccount | undefined
  }) =>
    createAccount(db, {
      ...account,
      email: `${account.username}@demo.test`,
      passwordHash,
      modules: account.role === 'admin' || account.role === 'reseller' ? [] : Module.options,
    })

  const admin = await add({ username: 'admin', name: 'Carillon', role: 'admin', parent: undefined })
  const reseller = await add({ username: 'reseller', name: 'Deccan Messaging', role: 'reseller', parent: admin })
  const manager = await add({ username: 'manager', name: 'Acme Retail', role: 'manager', parent: reseller })
  const departmentHead = await add({
    username: 'department-head',
    name: 'Meera Joshi',
    role: 'department_head',
    parent: manager,
  })
  const user = await add({ username: 'user', name: 'Rohan Kulkarni', role: 'user', parent: departmentHead })
  const manager2 = await add({ username: 'manager2', name: 'Kothrud Books', role: 'manager', parent: reseller })

  await addRateCard(db, admin)
  const fund = (account: CreatedAccount, rupees: string) =>
    issue(db, {
      issuer: { organizationId: admin.organizationId, accountId: admin.id },
      organizationId: account.organizationId,
      accountId: account.id,
      amount: toUnits(Number(rupees)),
      opKey: `demo:${account.id}`,
      reference: 'Opening balance of the demo',
    })
  await fund(manager, '25000')
  await fund(manager2, '640')
  return { admin, reseller, manager, user, departmentHead, manager2 }
}

/** Default prices of all accounts below the admin. */
async function addRateCard(db: Db, admin: CreatedAccount) {
  const id = newId()
  await db.insertInto('rate_cards').values({ organization_id: admin.organizationId, id, name: 'Standard' }).execute()
  const rate = (category: string, country: string, rupees: string) => ({
    organization_id: admin.organizationId,
    rate_card_id: id,
    channel: 'sms' as const,
    category,
    country,
    price: toUnits(Number(rupees)),
    billable_on: 'sent',
  })
  // Meta charges for delivered messages.
  const whatsapp = (...[category, country, rupees]: Parameters<typeof rate>) => ({
    ...rate(category, country, rupees),
    channel: 'whatsapp' as const,
    billable_on: 'delivered',
  })
  const rcs = (...[category, country, rupees]: Parameters<typeof rate>) => ({
    ...rate(category, country, rupees),
    channel: 'rcs' as const,
    billable_on: 'delivered',
  })
  await db
    .insertInto('rates')
    .values([
      rate('*', 'IN', '0.125'),
      rate('*', '*', '2.5'),
      whatsapp('marketing', 'IN', '0.86'),
      whatsapp('utility', 'IN', '0.125'),
      whatsapp('authentication', 'IN', '0.125'),
      whatsapp('*', '*', '4.2'),
      rcs('basic', 'IN', '0.16'),
      rcs('single', 'IN', '0.32'),
      rcs('conversation', 'IN', '0.65'),
      rcs('*', '*', '3.4'),
    ])
    .execute()
}
