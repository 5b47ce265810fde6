import { afterAll, beforeAll, expect, test } from 'vitest'
import fc from 'fast-check'
import { asSystem } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from '../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../testing/database.ts'
import { setSmsPrice } from '../../testing/money.ts'
import {
  checkInvariants,
  freezeShares,
  getBalance,
  holdShares,
  moveBalance,
  openOwnBalance,
  placeHold,
  releaseHold,
} from './index.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.drop())

/** The accounts of a small tree, by place. */
const places = ['admin', 'upper', 'lower', 'shop', 'stall', 'member'] as const
type Place = (typeof places)[number]
type Tree = Record<Place, Account>

/** The parent of each account; the member has its own balance inside the shop. */
const above: Record<Place, Place[]> = {
  admin: [],
  upper: ['admin'],
  lower: ['admin', 'upper'],
  shop: ['admin', 'upper', 'lower'],
  stall: ['admin', 'upper'],
  member: ['admin', 'upper', 'lower', 'shop'],
}
const prices = { upper: 100, lower: 140, shop: 120, stall: 170 }

type Operation =
  | { kind: 'move'; by: Place; from: Place; to: Place; amount: number }
  | { kind: 'send'; by: 'shop' | 'stall' | 'member'; parts: number; failed: number }

const place = fc.constantFrom(...places)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constant('move' as const),
    by: place,
    from: place,
    to: place,
    amount: fc.integer({ min: 1, max: 4000 }),
  }),
  fc.record({
    kind: fc.constant('send' as const),
    by: fc.constantFrom('shop' as const, 'stall' as const, 'member' as const),
    parts: fc.integer({ min: 1, max: 12 }),
    failed: fc.integer({ min: 0, max: 12 }),
  }),
)

test('transfers and messages in any order match a reference model, at every level', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
      const tree = await buildTree()
      const model: Record<Place, number> = { admin: 0, upper: 0, lower: 0, shop: 0, stall: 0, member: 0 }
      for (const seed of ['upper', 'lower', 'shop', 'stall', 'member'] as const)
        await move(tree, model, { kind: 'move', by: 'admin', from: 'admin', to: seed, amount: 3000 })
      for (const one of operations) await (one.kind === 'move' ? move(tree, model, one) : send(tree, model, one))
      expect(await balances(tree)).toEqual({ ...model, admin: 0 })
      expect(await asSystem(opened.database, checkInvariants)).toEqual([])
    }),
    { numRuns: 20 },
  )
}, 120_000)

async function buildTree(): Promise<Tree> {
  const { database } = opened
  const admin = await buildAdmin(database)
  const upper = await buildReseller(database, { parent: admin })
  const lower = await buildReseller(database, { parent: upper })
  const shop = await buildManager(database, { parent: lower })
  const stall = await buildManager(database, { parent: upper })
  const member = await buildUser(database, { parent: shop })
  await asSystem(database, (db) => openOwnBalance(db, member))
  const tree = { admin, upper, lower, shop, stall, member }
  for (const [who, units] of Object.entries(prices)) await addRate(tree[who as Place], units)
  return tree
}

const addRate = (account: Account, units: number) => setSmsPrice(opened.database, account, units)

async function balances(tree: Tree): Promise<Record<string, number>> {
  const read = async (who: Place) => {
    const { organizationId, id: accountId } = tree[who]
    return [who, (await asSystem(opened.database, (db) => getBalance(db, { organizationId, accountId }))).posted]
  }
  return Object.fromEntries(await Promise.all(places.map(read))) as Record<string, number>
}

function actorOf({ id, organizationId, path, role }: Account): UserActor {
  const scope = { organizationId, path, descends: role === 'admin' || role === 'reseller' }
  return {
    kind: 'user',
    accountId: id,
    organizationId,
    role,
    scope,
    username: '',
    email: '',
    timezone: 'UTC',
    modules: new Set(),
    sessionId: id,
    impersonatedBy: undefined,
    isSuspended: false,
    mustSetPassword: false,
  }
}

async function move(tree: Tree, model: Record<Place, number>, { by, from, to, amount }: Operation & { kind: 'move' }) {
  const isWithin = (who: Place) => who === by || above[who].includes(by)
  const issues = from === 'admin'
  // An admin issues money; every other account transfers its own.
  const allowed = from !== to && isWithin(from) && isWithin(to) && (issues || model[from] >= amount)
  const moved = await asSystem(opened.database, (db) =>
    moveBalance(db, {
      actor: actorOf(tree[by]),
      fromAccount: tree[from].id,
      toAccount: tree[to].id,
      amountUnits: amount,
      note: '',
    }),
  ).then(
    () => true,
    () => false,
  )
  expect({ by, from, to, amount, moved }).toEqual({ by, from, to, amount, moved: allowed })
  if (!moved) return
  model[from] -= amount
  model[to] += amount
}

/** A campaign from hold to refund, without its messages. Its resellers are above it; one of them sells at a loss. */
async function send(tree: Tree, model: Record<Place, number>, { by, parts, failed }: Operation & { kind: 'send' }) {
  const price = by === 'stall' ? prices.stall : prices.shop
  const { organizationId, id: accountId } = tree[by]
  const campaignId = newId()
  const lowersLoss = by === 'stall' ? 0 : parts * (prices.lower - prices.shop)
  const accepted = model[by] >= parts * price && model.lower >= lowersLoss
  const hold = await asSystem(opened.database, async (db) => {
    await freezeShares(db, {
      organizationId,
      campaignId,
      leg: 0,
      price,
      channel: 'sms',
      category: '*',
      country: 'IN',
    })
    const placed = await placeHold(db, { organizationId, accountId, amount: parts * price, opKey: campaignId })
    await holdShares(db, { organizationId, campaignId, holdId: placed.id, amount: parts * price })
    return placed
  }).catch(() => undefined)
  expect(hold !== undefined).toBe(accepted)
  if (!hold) return

  const refunded = Math.min(failed, parts)
  const { systemPool } = opened.database
  await systemPool.query(`select charge_messages($1, $2, $3, 'capture:' || $4::uuid || ':0:0', $4, 0::smallint)`, [
    organizationId,
    hold.id,
    parts * price,
    campaignId,
  ])
  await asSystem(opened.database, (db) => releaseHold(db, { organizationId, holdId: hold.id }))
  await systemPool.query('select release_shares()')
  await systemPool.query(
    `select refund_spent($1, paying_balance($1, $2), $3, 'refund:' || $4::uuid, $4::uuid::text),
      pass_back($1, array[$4::uuid], array[0::smallint], array[$3::bigint], 'back:' || $4::uuid)`,
    [organizationId, accountId, refunded * price, campaignId],
  )
  const kept = parts - refunded
  model[by] -= kept * price
  if (by !== 'stall') {
    model.lower += kept * (prices.shop - prices.lower)
    model.upper += kept * (prices.lower - prices.upper)
  } else model.upper += kept * (prices.stall - prices.upper)
}
