import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let manager: Account

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
})
afterAll(() => server.close())

const create = (type: string) =>
  server.callUnchecked('auth.register', {
    as: manager,
    body: { name: 'Meera', email: `${newId()}@test.example`, username: `m-${newId()}`, type },
  })

test.each(['department-head', 'department_head'] as const)(
  '%s is created, invited and found as a department head',
  async (type) => {
    const made = (await create(type)).data()
    expect(made.type).toBe('department_head')
    const row = await asSystem(server.database, (db) =>
      db.selectFrom('accounts').select('role').where('id', '=', made._id).executeTakeFirstOrThrow(),
    )
    expect(row.role).toBe('department_head')
    const email = `${newId()}@test.example`
    const invited = await server.call('invitations.create', { as: manager, body: { email, type, modules: [] } })
    expect(invited.body).toMatchObject({ data: { type: 'department_head' } })
    const listed = await server.call('users.list', { as: manager, query: { type, limit: 100 } })
    expect(listed.data().users.map(({ _id }) => _id)).toContain(made._id)
  },
)

test('other spellings of a role are rejected', async () => {
  expect((await create('Department-Head')).status).toBe(400)
})
