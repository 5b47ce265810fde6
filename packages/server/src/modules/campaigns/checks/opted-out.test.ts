import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { admin, buildDraft, buildSmsFixtures, manager, server, setUp, tearDown, validate } from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

const optOut = (owner: Account, channel: 'sms' | 'whatsapp', phone: number) =>
  asSystem(server.database, (db) =>
    db
      .insertInto('opt_outs')
      .values({ organization_id: owner.organizationId, channel, phone, keyword: 'STOP' })
      .execute(),
  )

async function estimate(owner: Account, id: string): Promise<Estimate> {
  return server.ask('drafts.estimate', { as: owner, path: { id } })
}

test('a person who opted out of the channel stays in the audience, gets no message and costs nothing', async () => {
  const owner = await buildManager(server.database, { parent: admin })
  const fixtures = await buildSmsFixtures(owner, { rupees: 10 })
  const content = 'Mobile,Name,City\n9876543210,Asha,Pune\n9876543211,Ravi,Agra\n9876543212,Mira,Pune\n'
  const draft = await buildDraft(owner, { fixtures, content })
  expect(await estimate(owner, draft._id)).toMatchObject({ people: 3, optedOut: 0, parts: 3, cost: 0.375 })

  await optOut(owner, 'sms', 919_876_543_211)
  await optOut(owner, 'whatsapp', 919_876_543_210)
  await optOut(manager, 'sms', 919_876_543_212)
  const { checks, ...counted } = await estimate(owner, draft._id)
  expect(counted).toMatchObject({ people: 3, optedOut: 1, parts: 2, cost: 0.25, balanceAfter: 9.75 })
  expect(checks).toContainEqual(
    expect.objectContaining({ id: 'opted-out', level: 'advice', title: 'One person has opted out of SMS' }),
  )

  await validate(draft._id, owner)
  const { rows } = await server.database.ownerPool.query(
    'select total, estimated_cost::float8 as cost from campaigns where id = $1',
    [draft._id],
  )
  expect(rows).toEqual([{ total: 3, cost: 2500 }])
})
