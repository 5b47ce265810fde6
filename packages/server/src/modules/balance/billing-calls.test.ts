import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointName } from '@carillon/contract'
import { roundRupees } from '@carillon/contract/money'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../../testing/builders.ts'
import { issueTo } from '../../testing/money.ts'
import { testServer, type CallData, type TestServer, type UncheckedOptions } from '../../testing/server.ts'
import { checkInvariants, getBalance, placeHold, toUnits } from './index.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let other: Account
let user: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
  manager = await buildManager(server.database, { parent: reseller })
  other = await buildManager(server.database, { parent: reseller })
  user = await buildUser(server.database, { parent: manager })
})

afterAll(async () => {
  expect(await asSystem(server.database, checkInvariants)).toEqual([])
  await server.close()
})

async function call<Name extends EndpointName>(name: Name, as: Account, options: UncheckedOptions = {}) {
  const answer = await server.callUnchecked(name, { as, ...options })
  const { message, data } = { message: '', data: undefined, ...answer.body }
  // Read only if the call succeeded.
  return { status: answer.status, message, data: data as CallData<Name> }
}

const add = (as: Account, to: Account, amount: number, more: UncheckedOptions = {}) =>
  call('balance.add', as, { body: { userId: to.id, amount }, ...more })

const available = async ({ organizationId, id }: Account) =>
  (await asSystem(server.database, (db) => getBalance(db, { organizationId, accountId: id }))).available

const fund = ({ organizationId }: Account, rupees: number) =>
  issueTo(server.database, { admin, account: { organizationId, id: organizationId }, units: toUnits(rupees) })

describe('balance transfers', () => {
  test('move money down the tree from the account that has it, and only an admin issues money', async () => {
    expect(await add(admin, reseller, 1000)).toMatchObject({
      status: 200,
      data: { userId: reseller.id, balance: 1000, ownBalance: 0 },
    })
    expect(await add(reseller, manager, 400.13)).toMatchObject({
      status: 200,
      data: { balance: 400.13, ownBalance: 599.87 },
    })
    expect(await add(admin, manager, 10)).toMatchObject({ status: 200, data: { balance: 410.13 } })
    expect(await add(reseller, manager, 600)).toMatchObject({
      status: 409,
      message: 'Your balance is ₹0.13 short: ₹600.00 needed, ₹599.87 available',
    })
  })

  test.each([
    ['to oneself', () => add(manager, manager, 1), 403],
    ['from a user to itself', () => add(user, user, 1), 403],
    ['from a user to its manager', () => add(user, manager, 1), 404],
    ['to the account above', () => add(manager, reseller, 1), 404],
    ['to a sibling', () => add(manager, other, 1), 404],
    ['to a member that has no balance of its own', () => add(manager, user, 1), 409],
    ['of zero', () => add(admin, manager, 0), 400],
    ['of a negative amount', () => add(admin, manager, -5), 400],
    ['of less than a paisa', () => add(admin, manager, 0.001), 400],
    ['of a part of a paisa', () => add(admin, manager, 12.345), 400],
    ['between oneself and another', () => transfer(reseller, reseller, manager), 403],
    ['between one account', () => transfer(reseller, manager, manager), 403],
  ])('are rejected %s', async (_, operation, status) => {
    const before = await Promise.all([admin, reseller, manager, other].map(available))
    expect((await operation()).status).toBe(status)
    expect(await Promise.all([admin, reseller, manager, other].map(available))).toEqual(before)
  })

  const transfer = (as: Account, from: Account, to: Account, amount = 1) =>
    call('balance.transfer', as, { body: { fromUserId: from.id, toUserId: to.id, amount } })

  test('deduct at most the free balance', async () => {
    const funded = await buildManager(server.database, { parent: reseller })
    await fund(funded, 100)
    const { organizationId, id: accountId } = funded
    await asSystem(server.database, (db) =>
      placeHold(db, { organizationId, accountId, amount: toUnits(70), opKey: newId() }),
    )
    const deduct = (amount: number) => call('balance.deduct', reseller, { body: { userId: funded.id, amount } })
    expect(await deduct(30.5)).toMatchObject({ status: 409 })
    expect(await deduct(30)).toMatchObject({ status: 200, data: { balance: 0 } })
  })

  test('run once for two requests with one key, twice without a key', async () => {
    const before = await available(other)
    const headers = { 'idempotency-key': newId() }
    await Promise.all([add(admin, other, 5, { headers }), add(admin, other, 5, { headers })])
    expect(await available(other)).toBe(before + toUnits(5))
    await Promise.all([add(admin, other, 5), add(admin, other, 5)])
    expect(await available(other)).toBe(before + toUnits(15))
  })

  test('in both directions at the same time all succeed, and no money is lost', async () => {
    await fund(manager, 500)
    await fund(other, 500)
    const before = (await available(manager)) + (await available(other))
    const operations = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? transfer(reseller, manager, other, 3) : transfer(reseller, other, manager, 2),
    )
    expect((await Promise.all(operations)).map(({ status }) => status)).toEqual(operations.map(() => 200))
    expect((await available(manager)) + (await available(other))).toBe(before)
  })

  test('notify the recipient without naming the account the money came from', async () => {
    await transfer(reseller, manager, other, 1)
    const { data } = await call('statement.list', other)
    expect(data.entries[0]?.description).toBe('From your provider')
  })

  test('show the names of both accounts in the statement and in the audit log', async () => {
    const names = { from: `Name of ${reseller.username}`, to: `Name of ${manager.username}` }
    await add(reseller, manager, 2)
    const { data } = await call('statement.list', manager)
    expect(data.entries[0]?.description).toBe(`From ${names.from}`)
    for (const as of [reseller, manager]) {
      const { data: log } = await call('audit.list', as, {
        query: { action: 'balance.moved' },
      })
      expect(log.entries[0]?.details).toMatchObject({ ...names, amount: '2.00' })
    }
  })
})

describe("a member's own balance", () => {
  const setOwn = (who: Account, ownBalance: boolean) =>
    call('balance.setOwn', manager, { body: { userId: who.id, ownBalance } })

  test('is opened empty, funded, and returned when it is closed', async () => {
    const head = await buildDepartmentHead(server.database, { parent: manager })
    await fund(manager, 100)
    const whole = await available(manager)
    expect(await setOwn(head, true)).toMatchObject({ status: 200, data: { balance: 0 } })
    expect(await add(manager, head, 60)).toMatchObject({ status: 200, data: { balance: 60 } })
    expect(await available(manager)).toBe(whole - toUnits(60))
    expect(await setOwn(head, false)).toMatchObject({ status: 200 })
    expect(await available(manager)).toBe(whole)
    expect(await available(head)).toBe(whole)
    expect(await setOwn(head, true)).toMatchObject({ status: 200, data: { balance: 0 } })
  })

  test('cannot be closed while some of it is reserved', async () => {
    const sending = await buildUser(server.database, { parent: manager })
    await fund(manager, 100)
    await setOwn(sending, true)
    await add(manager, sending, 20)
    const { organizationId, id: accountId } = sending
    await asSystem(server.database, (db) =>
      placeHold(db, { organizationId, accountId, amount: toUnits(7), opKey: newId() }),
    )
    expect(await setOwn(sending, false)).toMatchObject({ status: 409 })
  })

  test('cannot be closed for an organisation', async () => {
    expect(await call('balance.setOwn', manager, { body: { userId: manager.id, ownBalance: false } })).toMatchObject({
      status: 403,
    })
  })
})

describe('balance requests', () => {
  const ask = (as: Account, requestedBalance: number) =>
    call('balance.request', as, { body: { requestedBalance, note: 'Festival' } })
  const answer = (as: Account, id: string, body: { approve: boolean; amount?: number; note?: string }) =>
    call('topUps.answer', as, { path: { id }, body })

  test('notify the account above, which answers once; the money moves with the answer', async () => {
    const asking = await buildManager(server.database, { parent: reseller })
    await fund(reseller, 1000)
    const before = await available(reseller)
    const { data } = await ask(asking, 100)
    expect(data).toMatchObject({ status: 'pending' })
    const incoming = await call('topUps.list', reseller, { query: { box: 'incoming' } })
    expect(incoming.data.requests[0]?._id).toBe(data._id)
    const answers = await Promise.all([1, 2, 3].map(() => answer(reseller, data._id, { approve: true, amount: 80 })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(await available(asking)).toBe(toUnits(80))
    expect(await available(reseller)).toBe(before - toUnits(80))
    const mine = await call('topUps.list', asking)
    expect(mine.data.requests).toMatchObject([{ status: 'approved', approvedBalance: 80, requestedBalance: 100 }])
    const { rows } = await server.database.ownerPool.query<{ kind: string }>(
      'select kind from notifications where account_id = any($1) and event_key like $2 order by created_at',
      [[reseller.id, asking.id], `%${data._id}`],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['topup_requested', 'topup_approved'])
  })

  test('can be answered only by the account asked; a withdrawn or rejected request moves nothing', async () => {
    const asking = await buildManager(server.database, { parent: reseller })
    const first = (await ask(asking, 10)).data._id
    for (const stranger of [admin, other]) expect((await answer(stranger, first, { approve: true })).status).toBe(404)
    expect((await call('topUps.cancel', other, { path: { id: first } })).status).toBe(404)
    expect(await call('topUps.cancel', asking, { path: { id: first } })).toMatchObject({
      data: { status: 'cancelled' },
    })
    expect(await answer(reseller, first, { approve: true })).toMatchObject({ status: 409 })
    const second = (await ask(asking, 10)).data._id
    expect(await answer(reseller, second, { approve: false, note: 'Not now' })).toMatchObject({
      data: { status: 'rejected', answer: 'Not now' },
    })
    expect(await available(asking)).toBe(0)
  })

  test('stay pending when the balance does not cover the approval', async () => {
    const poor = await buildReseller(server.database, { parent: admin })
    const asking = await buildManager(server.database, { parent: poor })
    const { data } = await ask(asking, 10)
    expect((await answer(poor, data._id, { approve: true })).status).toBe(409)
    await fund(poor, 10)
    expect((await answer(poor, data._id, { approve: true })).status).toBe(200)
  })

  test("give a member on its organisation's balance a balance of its own on approval", async () => {
    const owner = await buildManager(server.database, { parent: reseller })
    const member = await buildUser(server.database, { parent: owner })
    await fund(owner, 100)
    const { data } = await ask(member, 40)
    expect(data).toMatchObject({ hasOwnBalance: false })
    expect(await answer(owner, data._id, { approve: true })).toMatchObject({
      status: 200,
      data: { hasOwnBalance: true },
    })
    expect(await available(member)).toBe(toUnits(40))
    expect(await available(owner)).toBe(toUnits(60))
  })

  test.each([undefined, 0, -1, Number.NaN, 'much'])('reject the amount %s', async (requestedBalance) => {
    const answered = await call('balance.request', manager, { body: { requestedBalance } })
    expect(answered).toMatchObject({ status: 400, message: 'Please enter a valid balance amount' })
  })

  test('are not available to an admin, and limited to five pending ones', async () => {
    expect((await ask(admin, 10)).status).toBe(403)
    const eager = await buildManager(server.database, { parent: reseller })
    const asked = await Promise.all(Array.from({ length: 8 }, () => ask(eager, 1)))
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(5)
  })
})

describe('prices', () => {
  type Card = { _id: string; rates: { price: number; category: string }[]; markup?: unknown }
  const create = (as: Account, to: Account, body: object) =>
    call('rateCards.create', as, { body: { userId: to.id, name: 'Card', ...body } })
  const base = [
    { channel: 'sms', price: 0.125 },
    { channel: 'sms', category: 'promotional', price: 0.11 },
  ]

  test('are set from above, as a markup rounded up to the smallest unit; only its author sees the markup', async () => {
    expect(await create(admin, admin, { rates: base })).toMatchObject({ status: 200 })
    const made = await create(reseller, manager, { markup: { type: 'percent', value: 33.3 } })
    expect(made.data.rates.map(({ price }) => price).toSorted((a, b) => a - b)).toEqual([0.1467, 0.1667])
    expect(made.data.markup).toEqual({ type: 'percent', value: 33.3 })
    const seen = await call('rateCards.list', manager)
    expect(seen.data.rateCards[0]).toMatchObject({ _id: made.data._id })
    expect(seen.data.rateCards[0]).not.toHaveProperty('markup')
    const rates = await call('rates.list', manager)
    expect(rates.data.rates.map(({ price }) => price).toSorted((a, b) => a - b)).toEqual([0.1467, 0.1667])
  })

  test.each([
    ['for oneself', () => create(reseller, reseller, { rates: base }), 403],
    ['for the account above', () => create(reseller, admin, { rates: base }), 404],
    ['for one of a customer’s people', () => create(reseller, user, { rates: base }), 400],
    ['in the past', () => create(reseller, manager, { rates: base, validFrom: '2020-01-01' }), 400],
    [
      'for nothing, when they cost something',
      () => create(reseller, manager, { rates: [{ channel: 'sms', price: 0 }] }),
      400,
    ],
    ['twice for the same', () => create(reseller, manager, { rates: [base[0], base[0]] }), 400],
    ['without any', () => create(reseller, manager, {}), 400],
  ])('are not set %s', async (_, operation, status) => {
    expect((await operation()).status).toBe(status)
  })

  test('with a later start can be withdrawn, those in force cannot', async () => {
    const later = await create(reseller, other, { rates: base, validFrom: '2999-01-01' })
    const now = await create(reseller, other, { rates: base })
    const remove = (as: Account, card: Card) => call('rateCards.remove', as, { path: { id: card._id } })
    expect((await remove(reseller, later.data)).status).toBe(200)
    expect((await remove(reseller, now.data)).status).toBe(409)
  })

  test('cannot be set by a direct statement either', async () => {
    const insert = server.database.app
      .transaction()
      .execute((db) =>
        db.insertInto('rate_cards').values({ organization_id: manager.id, id: newId(), name: 'Free' }).execute(),
      )
    await expect(insert).rejects.toThrow(/permission denied/)
  })
})

describe('a statement', () => {
  const read = (as: Account, query = {}) => call('statement.list', as, { query: { limit: 100, ...query } })

  test('adds up to the balance, line by line', async () => {
    const { data } = await read(manager)
    expect(data.closing).toBe(roundRupees((await available(manager)) / 10_000))
    let running = data.opening
    for (const { amount, balance } of data.entries.toReversed()) {
      running = Math.round((running + amount) * 10_000) / 10_000
      expect(balance).toBe(running)
    }
    expect(running).toBe(data.closing)
    expect(Math.round((data.moneyIn - data.moneyOut) * 10_000)).toBe(Math.round((data.closing - data.opening) * 10_000))
    const second = await read(manager, { limit: 1, page: 2 })
    expect(second.data.entries[0]).toEqual(data.entries[1])
  })

  test("of another day begins with that day's opening balance", async () => {
    const { data } = await read(manager, { from: '2999-01-01' })
    expect(data).toMatchObject({ entries: [], opening: data.closing })
    expect(data.opening).toBe(roundRupees((await available(manager)) / 10_000))
  })

  test('can be downloaded as CSV and as PDF', async () => {
    const csv = await server.call('statement.csv', { as: manager })
    expect(csv.text).toMatch(/^\ufeff?Date \(Asia\/Kolkata\),Type,Description,Amount \(₹\),Balance \(₹\)\r\n/)
    const pdf = await server.call('statement.pdf', { as: manager, query: { userId: user.id } })
    expect(pdf).toMatchObject({ status: 200 })
    expect(pdf.text.startsWith('%PDF-')).toBe(true)
    expect(pdf.text).not.toContain('/Author')
  })

  test('uses the brand of the organisation that serves the account', async () => {
    const serving = await buildReseller(server.database, { parent: admin })
    const served = await buildManager(server.database, { parent: serving })
    await server.database.ownerPool.query('insert into brands (organization_id, brand) values ($1, $2)', [
      serving.id,
      JSON.stringify({
        name: 'Deccan Post',
        color: '#0f766e',
        colorDark: '#5eead4',
        supportEmail: 'help@deccan.example',
      }),
    ])
    const pdf = await server.call('statement.pdf', { as: served })
    expect(pdf.text).toContain('(Deccan Post)')
  })

  test('the overview includes the accounts below', async () => {
    const { data } = await call('balance.overview', reseller)
    expect(data.balance).toBe((await available(reseller)) / 10_000)
    expect(data.daily).toHaveLength(30)
    expect(data.allocated).toBeGreaterThan(0)

    // Held balance is not available.
    await fund(other, 20)
    const { organizationId, id: accountId } = other
    const hold = { organizationId, accountId, amount: toUnits(20), opKey: newId() }
    await asSystem(server.database, (db) => placeHold(db, hold))
    expect((await call('balance.overview', reseller)).data.allocated).toBe(data.allocated)
  })
})
