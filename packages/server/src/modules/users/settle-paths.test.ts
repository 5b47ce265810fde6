import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'

let server: TestServer
let admin: Account
let from: Account
let to: Account
let member: Account
let organization: Account

beforeAll(async () => {
  const opened = await testServer({ flags: ['--run=web,worker'] })
  server = opened
  admin = await buildAdmin(opened.database)
  from = await buildReseller(opened.database, { parent: admin })
  to = await buildReseller(opened.database, { parent: admin })
  organization = await buildManager(opened.database, { parent: from })
  member = await buildUser(opened.database, { parent: organization })
})
afterAll(() => server.close())

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

/** Records of the member whose path is outdated. */
async function lost(has: Fixtures): Promise<string[]> {
  const places = { campaigns: has.campaign, audiences: has.audience, single_sends: has.singleSend }
  const asked = { topup_requests: has.topUp, support_requests: has.supportRequest }
  const found = Object.entries({ ...places, ...asked }).map(async ([table, id]) => {
    const rows = await query(
      `select from ${table} thing join accounts owner on owner.id = $2 where thing.id = $1 and thing.path <> owner.path`,
      [id, member.id],
    )
    return rows.length > 0 ? [table] : []
  })
  return (await Promise.all(found)).flat().toSorted()
}

test('records that a process creates with the old path of a moved account are moved to the new one', async () => {
  const body = { parentId: to.id }
  expect(await server.call('users.move', { as: admin, path: { userId: organization.id }, body })).toMatchObject({
    status: 200,
  })
  // The member as cached by a process before the move.
  const has = await buildFixtures(server.database, member)
  await query('update support_requests set answerer_id = $1, put_to = array[$1::uuid] where id = $2', [
    from.id,
    has.supportRequest,
  ])
  expect(await lost(has)).toEqual(['audiences', 'campaigns', 'single_sends', 'support_requests', 'topup_requests'])
  const sees = async (as: Account) => (await server.call('campaigns.watch', { as, path: { id: has.campaign } })).status
  expect([await sees(from), await sees(to), await sees(organization)]).toEqual([200, 404, 404])

  const due = await query(`update graphile_worker._private_jobs set run_at = now()
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'people.settle-paths') returning id`)
  expect(due).toHaveLength(1)
  await until(async () => (await lost(has)).length === 0, 'the places to be right')
  expect([await sees(from), await sees(to), await sees(organization)]).toEqual([404, 200, 200])
  // The previous assignee is no longer above the member; the new one is.
  const [request] = await query<{ isAbove: boolean }>(
    `select answerer.path @> request.path as "isAbove" from support_requests request
     join accounts answerer on answerer.id = request.answerer_id where request.id = $1`,
    [has.supportRequest],
  )
  expect(request).toEqual({ isAbove: true })
})
