import { statementKindNames } from '@carillon/contract/billing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { issue, openOwnBalance, placeHold } from '../balance/index.ts'
import { prepare, readRowsOf, sumOfRows, today } from './test-reports.ts'

let server: TestServer
let tree: Awaited<ReturnType<typeof buildTree>>
let sibling: Account

beforeAll(async () => {
  server = await testServer()
  tree = await buildTree(server.database)
  const { manager, head, user, foreign, reseller } = tree
  sibling = await buildUser(server.database, { parent: manager })
  for (const { organizationId } of [manager, foreign, reseller]) await fund(organizationId)
  await charge(user, 'Holi')
  await charge(sibling, 'Onam')
  await charge(foreign, 'Pongal')
  await asSystem(server.database, (db) => openOwnBalance(db, head))
  await giveTo(head)
  await chargeReseller()
})
afterAll(() => server.close())

const query = (text: string, values: unknown[]) => server.database.systemPool.query(text, values)

const fund = (organizationId: string) =>
  asSystem(server.database, (db) =>
    issue(db, {
      issuer: { organizationId: tree.admin.organizationId, accountId: tree.admin.id },
      organizationId,
      accountId: organizationId,
      amount: 1_000_000,
      opKey: newId(),
      reference: 'From Carillon',
    }),
  )

/** Three charges of a campaign of the account and a refund, from the balance of its organization. */
async function charge({ organizationId, id, path }: Account, name: string) {
  const campaignId = newId()
  await query(
    `insert into campaigns (organization_id, id, path, name, channel, status, created_by) values ($1, $2, $3, $4, 'sms', 'running', $5)`,
    [organizationId, campaignId, path, name, id],
  )
  const hold = await asSystem(server.database, (db) =>
    placeHold(db, { organizationId, accountId: id, amount: 100_000, opKey: newId() }),
  )
  for (const units of [2500, 2500, 5000])
    await query('select charge_messages($1, $2, $3, $4, $5, 0::smallint)', [
      organizationId,
      hold.id,
      units,
      `capture:${campaignId}:0:${newId()}`,
      campaignId,
    ])
  await post(organizationId, {
    key: `refund:${newId()}:${campaignId}:0`,
    kind: 'refund',
    units: 2500,
    reference: campaignId,
  })
}

/** The member's own balance gets an amount from that of the organization. */
async function giveTo({ organizationId, id }: Account) {
  await query(
    `select post_entry($1, $2, 'transfer_in', ledger_account_of($1, $1, 'balance'), ledger_account_of($1, $3, 'balance'), 70000, 'For the department')`,
    [organizationId, newId(), id],
  )
}

/** What the reseller pays for messages of an organization below. */
async function chargeReseller() {
  const { reseller, manager } = tree
  await post(reseller.organizationId, {
    key: `capture:${newId()}:0:usage`,
    kind: 'capture',
    units: 1500,
    reference: `${manager.organizationId}:`,
  })
}

type Post = { key: string; kind: 'capture' | 'refund'; units: number; reference: string }

const post = (organizationId: string, { key, kind, units, reference }: Post) => {
  const accounts = ['balance', 'spent'].map((name) => `ledger_account_of($1, $1, '${name}')`)
  const [debit, credit] = kind === 'capture' ? accounts : accounts.toReversed()
  return query(`select post_entry($1, $2, $3, ${debit}, ${credit}, $4, $5)`, [
    organizationId,
    key,
    kind,
    units,
    reference,
  ])
}

const readStatement = (as: Account, userId = as.id) =>
  server.ask('statement.list', { as, query: { userId, from: today, to: today, limit: 100 } })

const ledger = (as: Account) => readRowsOf(server, { as, type: 'ledger_statement' })

/** The sum by type and description. */
function sumByLine(lines: readonly { line: string; amount: number }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { line, amount } of lines) sums[line] = Math.round(((sums[line] ?? 0) + amount) * 10_000) / 10_000
  return sums
}

const sumsOfRows = (rows: readonly Record<string, string>[]) =>
  sumByLine(
    rows.map((row) => ({
      line: `${row['Type']}: ${row['Description']}`,
      amount: Number(row['Credit (₹)']) - Number(row['Debit (₹)']),
    })),
  )

const sumsOfStatement = ({ entries }: Awaited<ReturnType<typeof readStatement>>) =>
  sumByLine(
    entries.map(({ kind, description, amount }) => ({ line: `${statementKindNames[kind]}: ${description}`, amount })),
  )

test('a manager gets the entries of the statements of the organization and of own balances of members', async () => {
  const { manager, head } = tree
  const rows = await ledger(manager)
  const own = rows.filter((row) => row['Account'] === `Name of ${manager.username}`)
  const ofHead = rows.filter((row) => row['Account'] === `Name of ${head.username}`)
  const statement = await readStatement(manager)
  expect(sumsOfRows(own)).toEqual(sumsOfStatement(statement))
  expect(sumsOfRows(ofHead)).toEqual(sumsOfStatement(await readStatement(manager, head.id)))
  expect(own.length + ofHead.length).toBe(rows.length)
  // One row for each entry, of which a statement has one line.
  expect(own.filter((row) => row['Description'] === 'Campaign Holi')).toHaveLength(3)
  expect(Number(own.at(-1)?.['Balance after (₹)'])).toBe(statement.closing)
  expect([sumOfRows(own, 'Credit (₹)'), sumOfRows(own, 'Debit (₹)')]).toEqual([statement.moneyIn, statement.moneyOut])
})

test('a member gets the own usage of the balance of the organization, and nothing of siblings', async () => {
  const { user } = tree
  for (const [member, campaign, other] of [
    [user, 'Holi', 'Onam'],
    [sibling, 'Onam', 'Holi'],
  ] as const) {
    const rows = await ledger(member)
    const statement = await readStatement(member)
    expect(sumsOfRows(rows)).toEqual(sumsOfStatement(statement))
    expect(sumOfRows(rows, 'Debit (₹)')).toBe(statement.moneyOut)
    expect(rows.map((row) => row['Campaign'])).toEqual([campaign, campaign, campaign, campaign])
    expect(rows.map((row) => row['Balance after (₹)'])).toEqual(['', '', '', ''])
    expect(JSON.stringify(rows)).not.toContain(other)
  }
})

test('a department head gets the own balance, and the usage of members below', async () => {
  const { head, user } = tree
  const rows = await ledger(head)
  const statements = [await readStatement(head), await readStatement(head, user.id)]
  expect(sumsOfRows(rows)).toEqual(Object.assign({}, ...statements.map(sumsOfStatement)))
})

test('an admin gets the entries of every organization below, with the names of those below them', async () => {
  const { admin, reseller, manager, foreign } = tree
  const rows = await ledger(admin)
  for (const account of [admin, reseller, manager, foreign]) {
    const own = rows.filter((row) => row['Account'] === `Name of ${account.username}`)
    expect(sumsOfRows(own)).toEqual(sumsOfStatement(await readStatement(admin, account.id)))
  }
  expect(rows.map((row) => row['Description'])).toContain(`Messages of Name of ${manager.username}`)
})

test('other days have no entries, and the estimate counts the rows', async () => {
  const { manager } = tree
  const wanted = { as: manager, type: 'ledger_statement' } as const
  expect((await prepare(server, { ...wanted, from: '2026-01-01', to: '2026-01-31' })).rows).toBe(0)
  const { rows } = await prepare(server, wanted)
  const estimate = await server.ask('reportFiles.estimate', {
    as: manager,
    query: { from: today, to: today, channel: 'all', campaignId: 'all', type: 'ledger_statement' },
  })
  expect(estimate).toEqual({ rows, detailsSince: null })
})
