import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { createLogger } from '../../../lib/logger.ts'
import { buildAdmin, buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { issueTo } from '../../../testing/money.ts'
import { moveProof, placeHold, notifyLowBalances, toUnits } from '../../balance/index.ts'
import { guardLedger } from './guard-ledger.ts'
import { buildCampaign, buildSender } from '../test-lane.ts'

let opened: TestDatabase
let admin: Account

beforeAll(async () => {
  opened = await testDatabase()
  admin = await buildAdmin(opened.database)
})
afterAll(() => opened.drop())

const logger = createLogger('silent')
const guard = () => guardLedger(opened.database.systemPool, logger)

const fund = ({ organizationId }: Account, rupees: number) =>
  issueTo(opened.database, { admin, account: { organizationId, id: organizationId }, units: toUnits(rupees) })

const hold = ({ organizationId, id: accountId }: Account, rupees: number) =>
  asSystem(opened.database, (db) =>
    placeHold(db, { organizationId, accountId, amount: toUnits(rupees), opKey: newId() }),
  )

async function running(owner: Account): Promise<string> {
  const senderId = await buildSender(opened.database, owner)
  return buildCampaign(opened.database, { owner, senderId, total: 10 })
}

async function statusOf(campaignId: string) {
  const { rows } = await opened.database.ownerPool.query<{ status: string }>(
    'select status from campaigns where id = $1',
    [campaignId],
  )
  return rows[0]?.status
}

test.each([
  ['money out of nothing', 'posted = posted + 1'],
  ['a hold without an entry', 'held = held + 1'],
])('%s stops sending of its own organisation, and of no other', async (_, change) => {
  const [broken, sound] = [await buildManager(opened.database), await buildManager(opened.database)]
  const [stopped, going] = [await running(broken), await running(sound)]
  await fund(sound, 10)
  await guard()
  expect([await statusOf(stopped), await statusOf(going)]).toEqual(['queued', 'queued'])

  const alter = (set: string) =>
    opened.database.ownerPool.query(`update ledger_accounts set ${set} where account_id = $1 and kind = 'balance'`, [
      broken.id,
    ])
  await alter(change)
  await guard()
  expect([await statusOf(stopped), await statusOf(going)]).toEqual(['paused', 'queued'])
  await expect(hold(broken, 0.0001)).rejects.toThrow(/is checked/)
  await hold(sound, 1)
  await alter(`${change.replace('+ 1', '- 1')}, frozen_at = null`)
  await guard()
  await hold(broken, 0.0001)
})

test('a check continues from the last one', async () => {
  const owner = await buildManager(opened.database)
  await fund(owner, 5)
  // As if that had been an hour ago.
  await opened.database.ownerPool.query(
    `update ledger_entries set at = at - interval '1 hour' where organization_id = $1 or organization_id = $2`,
    [owner.organizationId, admin.organizationId],
  )
  await moveProof(opened.database.systemPool)
  await fund(owner, 7)
  await guard()
  const { rows } = await opened.database.ownerPool.query(
    `select posted, proved, frozen_at from ledger_accounts where account_id = $1 and kind = 'balance'`,
    [owner.id],
  )
  expect(rows).toEqual([{ posted: toUnits(12), proved: toUnits(5), frozen_at: null }])
  await hold(owner, 12)
})

test('a falling balance is notified once per fall', async () => {
  const owner = await buildManager(opened.database)
  const lowBalances = async () => {
    await notifyLowBalances(opened.database.systemPool)
    const { rows } = await opened.database.ownerPool.query<{ description: string }>(
      `select description from notifications where account_id = $1 order by created_at`,
      [owner.id],
    )
    return rows.map(({ description }) => description)
  }
  await fund(owner, 999)
  expect(await lowBalances()).toEqual([])
  await fund(owner, 1000)
  expect(await lowBalances()).toEqual([])
  await hold(owner, 1500.5)
  expect(await lowBalances()).toEqual(['₹498.50 left. Request a top-up to keep sending.'])
  await hold(owner, 100)
  expect(await lowBalances()).toHaveLength(1)
  await fund(owner, 5000)
  await lowBalances()
  await hold(owner, 5000)
  expect(await lowBalances()).toHaveLength(2)
})
