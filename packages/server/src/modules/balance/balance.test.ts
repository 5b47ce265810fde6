import { afterAll, beforeAll, expect, test } from 'vitest'
import fc from 'fast-check'
import { asSystem, inScope } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from '../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../testing/database.ts'
import {
  captureHold,
  checkInvariants,
  findRate,
  getBalance,
  issue,
  placeHold,
  recharge,
  refund,
  releaseHold,
} from './index.ts'

let opened: TestDatabase
let admin: Account

beforeAll(async () => {
  opened = await testDatabase({ app: 5, system: 20, owner: 2 })
  admin = await buildAdmin(opened.database)
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

async function fund(account: Account, amount: number) {
  const { organizationId } = account
  const issuer = { organizationId: admin.organizationId, accountId: admin.id }
  await asSystem(opened.database, (db) =>
    issue(db, { issuer, organizationId, accountId: organizationId, amount, opKey: newId(), reference: 'test' }),
  )
}

function balanceOf({ organizationId, id }: Account) {
  return asSystem(opened.database, (db) => getBalance(db, { organizationId, accountId: id }))
}

test('of two hundred concurrent holds of 60 on 1,000, exactly 16 are granted', async () => {
  const manager = await buildManager(opened.database)
  await fund(manager, 1000)
  const hold = () =>
    asSystem(opened.database, (db) =>
      placeHold(db, { organizationId: manager.organizationId, accountId: manager.id, amount: 60, opKey: newId() }),
    )
  const outcomes = await Promise.allSettled(Array.from({ length: 200 }, hold))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
  expect(await balanceOf(manager)).toEqual({ posted: 1000, held: 960, available: 40 })
})

test('a hold above the balance reports the exact shortfall', async () => {
  const manager = await buildManager(opened.database)
  await fund(manager, 1_000_000)
  const placing = asSystem(opened.database, (db) =>
    placeHold(db, {
      organizationId: manager.organizationId,
      accountId: manager.id,
      amount: 2_234_500,
      opKey: 'too-big',
    }),
  )
  const problem = await placing.catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toMatchObject({ code: 'insufficient_balance', details: [{ field: 'shortfall', message: '123.45' }] })
})

test('a repeated key holds and captures once', async () => {
  const manager = await buildManager(opened.database)
  const { organizationId } = manager
  await fund(manager, 1000)
  const place = () =>
    asSystem(opened.database, (db) =>
      placeHold(db, { organizationId, accountId: manager.id, amount: 500, opKey: 'start' }),
    )
  const holds = await Promise.all([place(), place(), place()])
  expect(new Set(holds.map(({ id }) => id)).size).toBe(1)
  const holdId = holds[0].id
  const capture = () =>
    asSystem(opened.database, (db) =>
      captureHold(db, { organizationId, holdId, amount: 200, opKey: 'capture:1', reference: 'test' }),
    )
  await Promise.all([capture(), capture(), capture()])
  expect(await balanceOf(manager)).toEqual({ posted: 800, held: 300, available: 500 })
  expect(await asSystem(opened.database, (db) => releaseHold(db, { organizationId, holdId }))).toEqual({
    released: 300,
  })
  expect(await asSystem(opened.database, (db) => releaseHold(db, { organizationId, holdId }))).toEqual({ released: 0 })
  expect(await balanceOf(manager)).toEqual({ posted: 800, held: 0, available: 800 })
})

test('users use the organisation’s balance unless they have their own', async () => {
  const manager = await buildManager(opened.database)
  const user = await buildUser(opened.database, { parent: manager })
  await fund(manager, 1000)
  expect((await balanceOf(user)).available).toBe(1000)
  const issuer = { organizationId: admin.organizationId, accountId: admin.id }
  await asSystem(opened.database, (db) =>
    issue(db, {
      issuer,
      organizationId: user.organizationId,
      accountId: user.id,
      amount: 70,
      opKey: newId(),
      reference: 'own',
    }),
  )
  expect((await balanceOf(user)).available).toBe(70)
  const scope = { organizationId: user.organizationId, path: user.path, descends: false }
  await inScope(opened.database, scope, (db) =>
    placeHold(db, { organizationId: user.organizationId, accountId: user.id, amount: 70, opKey: 'own' }),
  )
  expect((await balanceOf(user)).available).toBe(0)
  expect((await balanceOf(manager)).available).toBe(1000)
})

test('the newest card of the nearest ancestor applies, and an exact category beats the wildcard', async () => {
  const reseller = await buildReseller(opened.database, { parent: admin })
  const manager = await buildManager(opened.database, { parent: reseller })
  const query = {
    organizationId: manager.organizationId,
    channel: 'sms' as const,
    category: 'promotional',
    country: 'IN',
  }
  const find = () =>
    inScope(opened.database, { organizationId: manager.organizationId, path: manager.path, descends: false }, (db) =>
      findRate(db, query),
    )
  expect(await find()).toBeUndefined()
  await addRate(admin, { category: '*', price: 1500, since: '2026-01-01' })
  expect(await find()).toMatchObject({ price: 1500, billableOn: 'sent' })
  await addRate(reseller, { category: '*', price: 1800, since: '2026-01-01' })
  await addRate(reseller, { category: 'promotional', price: 1700, since: '2026-01-01' })
  await addRate(reseller, { category: 'promotional', price: 1600, since: '2999-01-01' })
  expect((await find())?.price).toBe(1700)
  await addRate(reseller, { category: 'promotional', price: 1650, since: '2026-02-01' })
  expect((await find())?.price).toBe(1650)
})

async function addRate(
  { organizationId }: Account,
  { category, price, since }: { category: string; price: number; since: string },
) {
  const id = newId()
  await opened.database.ownerPool.query(
    'insert into rate_cards (organization_id, id, name, valid_from) values ($1, $2, $3, $4)',
    [organizationId, id, since, since],
  )
  await opened.database.ownerPool.query(
    'insert into rates (organization_id, rate_card_id, channel, category, price) values ($1, $2, $3, $4, $5)',
    [organizationId, id, 'sms', category, price],
  )
}

type Model = { posted: number; holds: Map<string, { id: string; left: number }> }
type Operation =
  | { kind: 'fund'; amount: number }
  | { kind: 'hold'; amount: number }
  | { kind: 'refund'; amount: number }
  | { kind: 'recharge'; amount: number }
  | { kind: 'capture'; amount: number; which: number }
  | { kind: 'release'; which: number }

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('fund' as const, 'hold' as const, 'refund' as const, 'recharge' as const),
    amount: fc.integer({ min: 1, max: 900 }),
  }),
  fc.record({ kind: fc.constant('capture' as const), amount: fc.integer({ min: 1, max: 900 }), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('release' as const), which: fc.nat(5) }),
)

test('any sequence of operations matches a reference model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operations, { maxLength: 25 }), async (sequence) => {
      const manager = await buildManager(opened.database)
      const model: Model = { posted: 0, holds: new Map() }
      await fund(manager, 1000)
      model.posted = 1000
      for (const operation of sequence) await perform(manager, model, operation)
      const held = [...model.holds.values()].reduce((sum, { left }) => sum + left, 0)
      expect(await balanceOf(manager)).toEqual({ posted: model.posted, held, available: model.posted - held })
      expect(await asSystem(opened.database, checkInvariants)).toEqual([])
    }),
    { numRuns: 25 },
  )
})

async function perform({ organizationId, id }: Account, model: Model, operation: Operation) {
  const held = [...model.holds.values()].reduce((sum, { left }) => sum + left, 0)
  const available = model.posted - held
  const move = { organizationId, accountId: id, opKey: newId(), reference: 'model' }
  const run = <Result>(work: Parameters<typeof asSystem<Result>>[1]) => asSystem(opened.database, work)
  if (operation.kind === 'fund') {
    await fund({ organizationId } as Account, operation.amount)
    model.posted += operation.amount
  } else if (operation.kind === 'refund') {
    await run((db) => refund(db, { ...move, amount: operation.amount }))
    model.posted += operation.amount
  } else if (operation.kind === 'recharge') {
    await run((db) => recharge(db, { ...move, amount: operation.amount }))
    if (available >= operation.amount) model.posted -= operation.amount
  } else if (operation.kind === 'hold') {
    const placed = await run((db) => placeHold(db, { ...move, amount: operation.amount })).catch(() => undefined)
    expect(placed !== undefined).toBe(available >= operation.amount)
    if (placed) model.holds.set(placed.id, { id: placed.id, left: operation.amount })
  } else if (operation.kind === 'release') {
    const hold = [...model.holds.values()][operation.which]
    if (!hold) return
    await run((db) => releaseHold(db, { organizationId, holdId: hold.id }))
    model.holds.delete(hold.id)
  } else {
    const hold = [...model.holds.values()][operation.which]
    if (!hold) return
    await run((db) =>
      captureHold(db, {
        organizationId,
        holdId: hold.id,
        amount: operation.amount,
        opKey: newId(),
        reference: 'model',
      }),
    )
    const fromHold = Math.min(hold.left, operation.amount)
    const rest = operation.amount - fromHold
    hold.left -= fromHold
    model.posted -= fromHold + (available >= rest ? rest : 0)
  }
}
