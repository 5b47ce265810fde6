import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { localDay } from '../lib/local-time.ts'
import type { CreatedAccount } from '../modules/accounts/index.ts'
import { formatRupees, issueInvoice, monthBefore, toUnits, type InvoiceLine } from '../modules/balance/index.ts'
import { notify } from '../modules/notifications/index.ts'
import type { Cast } from './cast.ts'

/** The reseller's cost per part, and its markup. */
const wholesale = { india: 1100, elsewhere: 24_850, markup: 150 }
const resellersBalance = toUnits(340_200)

/**
 * Creates the ledger history of the past weeks: transfers, message costs and margins of each customer, prices, top-up
 * requests in every state, invoices. Every balance is the sum of its entries.
 */
export async function addMoney(db: Db, cast: Cast): Promise<void> {
  await addPrices(db, cast)
  await openAccounts(db, cast.reseller)
  await addTransfers(db, cast)
  await addUsage(db, cast.reseller)
  await fundReseller(db, cast)
  await addUpBalances(db)
  await addRequests(db, cast)
  await addInvoices(db, cast)
}

async function addPrices(db: Db, { admin, reseller }: Cast) {
  const own = [
    { country: 'IN', price: wholesale.india },
    { country: '*', price: wholesale.elsewhere },
  ]
  await addCard(db, { organizationId: reseller.id, name: 'Wholesale', author: admin.id, rates: own })
  const customers = await db
    .selectFrom('accounts')
    .select('id')
    .where('parent_id', '=', reseller.id)
    .whereRef('id', '=', 'organization_id')
    .execute()
  for (const { id } of customers)
    await addCard(db, {
      organizationId: id,
      name: 'Retail',
      author: reseller.id,
      markup: { type: 'fixed', value: wholesale.markup / 10_000 },
      rates: own.map(({ country, price }) => ({ country, price: price + wholesale.markup })),
    })
}

type Card = {
  organizationId: string
  name: string
  author: string
  markup?: { type: 'fixed'; value: number }
  rates: { country: string; price: number }[]
}

async function addCard(db: Db, { organizationId: organization_id, name, author, markup, rates }: Card) {
  const id = newId()
  await db
    .insertInto('rate_cards')
    .values({
      organization_id,
      id,
      name,
      valid_from: sql<Date>`now() - interval '90 days'`,
      markup: markup ? JSON.stringify(markup) : null,
      created_by: author,
    })
    .execute()
  await db
    .insertInto('rates')
    .values(rates.map((rate) => ({ ...rate, organization_id, rate_card_id: id, channel: 'sms' })))
    .execute()
}

/** Creates the ledger accounts for the history. */
async function openAccounts(db: Db, { path }: CreatedAccount) {
  await sql`
    select ledger_account_of(id, id, kind)
    from accounts, unnest(array['balance', 'spent', 'clearing']) as kind
    where accounts.path <@ ${path}::ltree and id = organization_id`.execute(db)
}

/** Days with costs, per customer. */
const spentDays = (path: string) => sql`
  select founder.id as organization, founder.timezone, daily.day, sum(daily.cost)::bigint as cost, sum(daily.parts)::bigint as parts
  from accounts founder
  join daily_counters daily on daily.organization_id = founder.id
  where founder.path <@ ${path}::ltree and founder.id = founder.organization_id and founder.role = 'manager' and daily.cost > 0
  group by founder.id, founder.timezone, daily.day`

/** A transfer every two weeks, in whole thousands, that covers the following spend. */
async function addTransfers(db: Db, { reseller }: Cast) {
  const step = toUnits(500)
  await sql`
    with spent as (${spentDays(reseller.path)}), ahead as (
      select organization, day / 15 as turn, sum(cost)::bigint as cost
      from (select organization, local_day(now(), timezone) - day as day, cost from spent) days group by organization, turn
    ), wanted as (
      select organization, turn, ceil(sum(cost) over (partition by organization order by turn desc) / ${step}::numeric)::bigint * ${step}::bigint as until_now
      from ahead
    ), given as (
      select organization, now() - (turn + 1) * interval '15 days' - interval '2 hours' as at,
        until_now - coalesce(lag(until_now) over (partition by organization order by turn desc), 0) as units
      from wanted
    ), side as (
      select ${reseller.id}::uuid as owner, 'balance' as debit, 'clearing' as credit, 'transfer_out' as kind, ':out' as suffix,
        'To ' || customer.name as note, given.* from given join accounts customer on customer.id = organization
      union all
      select organization, 'clearing', 'balance', 'transfer_in', ':in', 'From Deccan Messaging', given.* from given
    )
    insert into ledger_entries (organization_id, id, debit_account, credit_account, amount, op_key, kind, reference, at)
    select owner, gen_random_uuid(), ledger_account_of(owner, owner, debit), ledger_account_of(owner, owner, credit), units,
      'demo:' || organization || ':' || at::date || suffix, kind, note, at
    from side where units > 0`.execute(db)
}

async function addUsage(db: Db, { id, path }: CreatedAccount) {
  await sql`
    with spent as (${spentDays(path)}), step as (
      select organization as owner, 'balance' as debit, 'spent' as credit, cost as units, 'capture' as kind, '' as suffix, spent.* from spent
      union all select organization, 'spent', 'clearing', cost, 'passed_on', ':up', spent.* from spent
      union all select ${id}::uuid, 'clearing', 'balance', cost, 'margin', ':margin', spent.* from spent
      union all select ${id}::uuid, 'balance', 'spent', parts * ${wholesale.india}::bigint, 'capture', ':usage', spent.* from spent
    )
    insert into ledger_entries (organization_id, id, debit_account, credit_account, amount, op_key, kind, reference, at)
    select owner, gen_random_uuid(), ledger_account_of(owner, owner, debit), ledger_account_of(owner, owner, credit), units,
      'demo:' || organization || ':' || day || suffix, kind, organization::text, day_start(day, timezone) + interval '9 hours'
    from step`.execute(db)
}

/** Funds the reseller in two parts before everything else, so that it ends with its current balance. */
async function fundReseller(db: Db, { admin, reseller }: Cast) {
  const { rows } = await sql<{ moved: number }>`
    select coalesce(sum(case when credit_account = account.id then amount else -amount end), 0)::bigint as moved
    from ledger_accounts account
    join ledger_entries entry on entry.organization_id = account.organization_id and account.id in (debit_account, credit_account)
    where account.organization_id = ${reseller.id}::uuid and account.kind = 'balance'`.execute(db)
  const whole = resellersBalance - (rows[0]?.moved ?? 0)
  const second = Math.floor(whole / 2 / toUnits(10_000)) * toUnits(10_000)
  for (const [index, units] of [whole - second, second].entries())
    await sql`
      insert into ledger_entries (organization_id, id, debit_account, credit_account, amount, op_key, kind, reference, at)
      select owner, gen_random_uuid(), ledger_account_of(owner, owner, debit), ledger_account_of(owner, owner, credit), ${units}::bigint,
        ${`demo:funding:${index}`} || suffix, kind, note, now() - interval '100 days' + ${index} * interval '1 day'
      from (values
        (${admin.id}::uuid, 'issuance', 'clearing', 'issue', ':out', 'To Deccan Messaging'),
        (${reseller.id}::uuid, 'clearing', 'balance', 'transfer_in', ':in', 'From Carillon')
      ) as side (owner, debit, credit, kind, suffix, note)`.execute(db)
}

async function addUpBalances(db: Db) {
  await sql`
    update ledger_accounts account set posted = (
      select coalesce(sum(case when credit_account = account.id then amount else -amount end), 0) from ledger_entries
      where organization_id = account.organization_id and account.id in (debit_account, credit_account))`.execute(db)
  // Accounts below the threshold were notified on that day.
  await sql`update ledger_accounts set low_since = null where kind = 'balance' and posted >= ${toUnits(1000)}`.execute(
    db,
  )
}

type Request = {
  from: CreatedAccount
  name: string
  rupees: number
  note: string
  daysAgo: number
  answer?: { status: 'approved' | 'rejected'; rupees?: number; note: string }
}

async function addRequests(db: Db, { reseller, manager, manager2, departmentHead }: Cast) {
  const requests: Request[] = [
    { from: manager, name: 'Acme Retail', rupees: 10_000, note: 'Diwali week: two large campaigns', daysAgo: 0.2 },
    { from: manager2, name: 'Kothrud Books', rupees: 2_000, note: 'Book fair invitations', daysAgo: 0.6 },
    {
      from: manager,
      name: 'Acme Retail',
      rupees: 8_000,
      note: 'Monsoon clearance',
      daysAgo: 21,
      answer: { status: 'approved', rupees: 7_500, note: 'Half of it on account' },
    },
    {
      from: manager2,
      name: 'Kothrud Books',
      rupees: 50_000,
      note: '',
      daysAgo: 34,
      answer: { status: 'rejected', note: 'The invoice of last month is open' },
    },
  ]
  for (const request of requests) await addRequest(db, { request, answerer: reseller })
  await addRequest(db, {
    request: { from: departmentHead, name: 'Meera Joshi', rupees: 1_500, note: 'Store openings', daysAgo: 1.3 },
    answerer: manager,
  })
}

async function addRequest(db: Db, { request, answerer }: { request: Request; answerer: CreatedAccount }) {
  const { from, name, rupees, note, daysAgo, answer } = request
  const id = newId()
  const at = new Date(Date.now() - daysAgo * 86_400_000)
  await db
    .insertInto('topup_requests')
    .values({
      organization_id: from.organizationId,
      id,
      account_id: from.id,
      path: from.path,
      answerer_id: answerer.id,
      amount: toUnits(rupees),
      note,
      created_at: at,
      ...(answer && {
        status: answer.status,
        approved: answer.rupees === undefined ? null : toUnits(answer.rupees),
        answer: answer.note,
        answered_by: answerer.id,
        answered_at: new Date(at.getTime() + 5_400_000),
      }),
    })
    .execute()
  if (answer) return
  await notify(db, [
    {
      organizationId: answerer.organizationId,
      accountId: answerer.id,
      kind: 'topup_requested',
      title: `${name} asks for ₹${formatRupees(toUnits(rupees))}`,
      description: note || 'No note was left',
      link: { type: 'top_up', id },
      eventKey: `topup_requested:${id}`,
    },
  ])
}

async function addInvoices(db: Db, { reseller, manager }: Cast) {
  const details = {
    [reseller.id]: {
      legalName: 'Deccan Messaging LLP',
      address: '4th floor, Nucleus Mall\nCamp, Pune 411001',
      gstin: '27AAPFD1234M1ZV',
      stateCode: '27',
      invoicePrefix: 'DM',
    },
    [manager.id]: {
      legalName: 'Acme Retail Pvt Ltd',
      address: '12 Laxmi Road\nPune 411030',
      gstin: '27AABCA9876R1ZT',
      stateCode: '27',
    },
  }
  for (const [organization_id, value] of Object.entries(details))
    await db
      .insertInto('billing_details')
      .values({ organization_id, details: JSON.stringify(value) })
      .execute()
  const timezone = 'Asia/Kolkata'
  const last = monthBefore(new Date(`${localDay(new Date(), timezone)}T12:00:00Z`))
  const billed = await db
    .selectFrom('accounts')
    .select('id')
    .where(sql<boolean>`path <@ ${reseller.path}::ltree`)
    .whereRef('id', '=', 'organization_id')
    .orderBy('created_at')
    .execute()
  for (const month of [monthBefore(new Date(last)), last])
    for (const { id: organizationId } of billed)
      await issueInvoice(db, {
        organizationId,
        month,
        timezone,
        usage: await readPastUsage(db, { reseller, organizationId, month }),
      })
}

/** Invoice lines for days that have counts but no campaigns; a reseller's lines name each customer. */
async function readPastUsage(
  db: Db,
  { reseller, organizationId, month }: { reseller: CreatedAccount; organizationId: string; month: string },
): Promise<InvoiceLine[]> {
  const isReseller = organizationId === reseller.id
  const { rows } = await sql<{ name: string; parts: number; cost: number }>`
    with spent as (${spentDays(reseller.path)})
    select customer.name, sum(parts)::bigint as parts, sum(cost)::bigint as cost
    from spent join accounts customer on customer.id = organization
    where day >= ${month}::date and day < ${month}::date + interval '1 month' and (${isReseller} or organization = ${organizationId}::uuid)
    group by customer.name order by customer.name`.execute(db)
  return rows.map(({ name, parts, cost }) => {
    const amount = isReseller ? parts * wholesale.india : cost
    const description = isReseller ? `SMS promotional, IN · ${name}` : 'SMS promotional, IN'
    return { kind: 'item', description, units: parts, rate: Math.round(amount / parts), amount }
  })
}
