import type { Registered } from '@carillon/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { issueTo } from '../../testing/money.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { toUnits } from '../balance/index.ts'

let server: TestServer
let manager: Account
let department: Account
let foreignHead: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const { database } = server
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  manager = await buildManager(database, { parent: reseller })
  department = await buildDepartmentHead(database, { parent: manager })
  foreignHead = await buildDepartmentHead(database, { parent: await buildManager(database, { parent: reseller }) })
  await issueTo(database, { admin, account: manager, units: toUnits(1000) })
})
afterAll(() => server.close())

const person = () => ({ name: 'Camp store', email: `${newId()}@shop.test`, type: 'user' })
const register = (body: object) => server.callUnchecked('auth.register', { as: manager, body })
const made = async (body: object) => {
  const { status, body: answer } = await register(body)
  expect(status).toBe(200)
  return (answer as { data: Registered }).data._id
}
const listed = async (query: object) =>
  (await server.call('users.list', { as: manager, query: { limit: 100, ...query } })).data().users

test('a sub-account has its own balance that is funded, deducted and listed in its own statement', async () => {
  const id = await made({ ...person(), ownBalance: true, balance: 250 })
  expect(await listed({ ownBalance: 'true' })).toMatchObject([{ _id: id, balance: 250 }])
  const move = (call: 'balance.add' | 'balance.deduct', amount: number) =>
    server.call(call, { as: manager, body: { userId: id, amount } })
  expect(await move('balance.add', 50.5)).toMatchObject({ status: 200, body: { data: { balance: 300.5 } } })
  expect(await move('balance.deduct', 100.25)).toMatchObject({ status: 200, body: { data: { balance: 200.25 } } })
  const { body } = await server.call('statement.list', { as: manager, query: { userId: id } })
  expect(body).toMatchObject({ data: { opening: 0, closing: 200.25, moneyIn: 300.5, moneyOut: 100.25, total: 3 } })
  const { rows } = await server.database.ownerPool.query<{ posted: number }>(
    `select posted::int from ledger_accounts where account_id = $1 and kind = 'balance'`,
    [id],
  )
  expect(rows).toEqual([{ posted: toUnits(200.25) }])
})

test("a user on the organisation's balance is not a sub-account until it gets its own", async () => {
  const id = await made(person())
  const has = async (ownBalance: 'true' | 'false') => (await listed({ ownBalance })).some(({ _id }) => _id === id)
  expect([await has('true'), await has('false')]).toEqual([false, true])
  const set = (ownBalance: boolean) => server.call('balance.setOwn', { as: manager, body: { userId: id, ownBalance } })
  expect((await set(true)).status).toBe(200)
  expect([await has('true'), await has('false')]).toEqual([true, false])
  expect((await set(false)).status).toBe(200)
  expect([await has('true'), await has('false')]).toEqual([false, true])
})

test('a user can be created and invited in a department of the organisation, and in no other', async () => {
  const id = await made({ ...person(), parentId: department.id })
  expect((await listed({})).find(({ _id }) => _id === id)).toMatchObject({ parentId: department.id })
  expect(await register({ ...person(), parentId: foreignHead.id })).toMatchObject({ status: 404 })
  // A department head is a child of the organisation itself.
  expect(await register({ ...person(), type: 'department_head', parentId: department.id })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'parentId' }] },
  })

  const email = `${newId()}@shop.test`
  const { link } = await server.ask('invitations.create', {
    as: manager,
    body: { email, type: 'user', modules: [], parentId: department.id, ownBalance: true },
  })
  const token = new URL(link ?? '').searchParams.get('t') ?? ''
  const { _id } = await server.ask('invitations.accept', {
    body: { token, name: 'Baner store', username: 'banerstore', password: 'correct-horse-77' },
  })
  expect((await listed({ ownBalance: 'true' })).find((user) => user._id === _id)).toMatchObject({
    parentId: department.id,
    balance: 0,
  })
})
