import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { pointDemoAtSimulator, seedDemo } from './seed-demo.ts'

let fixture: TestDatabase

beforeAll(async () => {
  fixture = await testDatabase()
})
afterAll(() => fixture.drop())

async function addAccount(organizationId: string, config: object): Promise<string> {
  const id = newId()
  await asSystem(fixture.database, (db) =>
    db
      .insertInto('provider_accounts')
      .values({
        organization_id: organizationId,
        id,
        channel: 'sms',
        provider: 'smpp',
        name: 'Route',
        config: JSON.stringify(config),
        callback_key: newId(),
      })
      .execute(),
  )
  return id
}

async function configOf(id: string): Promise<unknown> {
  const row = await asSystem(fixture.database, (db) =>
    db.selectFrom('provider_accounts').select('config').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return row.config
}

test('after a restart of the demo only the accounts of its simulator follow it', async () => {
  const { database } = fixture
  await seedDemo(database)
  const { organization_id } = await asSystem(database, (db) =>
    db.selectFrom('accounts').select('organization_id').where('username', '=', 'manager').executeTakeFirstOrThrow(),
  )
  await pointDemoAtSimulator(database, { smscPort: 4001, graphUrl: 'http://127.0.0.1:4000/graph' })
  const simulated = await addAccount(organization_id, { host: '127.0.0.1', port: 4001, systemId: 'carillon' })
  const simulatedGraph = await addAccount(organization_id, { graphUrl: 'http://127.0.0.1:4000/graph' })
  const ownSmsc = await addAccount(organization_id, { host: '127.0.0.1', port: 2775, systemId: 'carillon' })
  const ownGraph = await addAccount(organization_id, { graphUrl: 'http://127.0.0.1:9999/graph' })

  await pointDemoAtSimulator(database, { smscPort: 5001, graphUrl: 'http://127.0.0.1:5000/graph' })

  expect({
    simulated: await configOf(simulated),
    simulatedGraph: await configOf(simulatedGraph),
    ownSmsc: await configOf(ownSmsc),
    ownGraph: await configOf(ownGraph),
  }).toEqual({
    simulated: { host: '127.0.0.1', port: 5001, systemId: 'carillon' },
    simulatedGraph: { graphUrl: 'http://127.0.0.1:5000/graph' },
    ownSmsc: { host: '127.0.0.1', port: 2775, systemId: 'carillon' },
    ownGraph: { graphUrl: 'http://127.0.0.1:9999/graph' },
  })
})

test('the days of the past end yesterday, in the zone of each account', async () => {
  const { rows } = await fixture.database.ownerPool.query<{ ago: number }>(`
    select distinct local_day(now(), timezone) - (select max(day) from daily_counters where account_id = accounts.id
      and day < local_day(now(), timezone)) as ago
    from accounts where exists (select from daily_counters where account_id = accounts.id)`)
  expect(rows).toEqual([{ ago: 1 }])
})
