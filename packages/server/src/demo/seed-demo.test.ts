import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { rcsPartnerKey } from '../channels/rcs/partner.ts'
import { createSecretBox } from '../lib/secrets.ts'
import { findInstallationSettings, saveInstallationSettings } from '../modules/senders/index.ts'
import { pointDemoAtSimulator, seedDemo } from './seed-demo.ts'
import { findMismatches } from '../modules/messages/test-proof.ts'
import { addSenderPoints } from './usage.ts'

const secretBox = createSecretBox('ab'.repeat(32))
const placeOf = (port: number) => ({
  smscPort: port + 1,
  graphUrl: `http://127.0.0.1:${port}/graph`,
  rbmUrl: `http://127.0.0.1:${port}/rbm`,
})

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

test('after a restart only the demo accounts connected to the simulator are updated', async () => {
  const { database } = fixture
  await seedDemo(database)
  const { organization_id } = await asSystem(database, (db) =>
    db.selectFrom('accounts').select('organization_id').where('username', '=', 'manager').executeTakeFirstOrThrow(),
  )
  await pointDemoAtSimulator(database, placeOf(4000), secretBox)
  const simulated = await addAccount(organization_id, { host: '127.0.0.1', port: 4001, systemId: 'carillon' })
  const simulatedGraph = await addAccount(organization_id, { graphUrl: 'http://127.0.0.1:4000/graph' })
  const ownSmsc = await addAccount(organization_id, { host: '127.0.0.1', port: 2775, systemId: 'carillon' })
  const ownGraph = await addAccount(organization_id, { graphUrl: 'http://127.0.0.1:9999/graph' })

  await pointDemoAtSimulator(database, placeOf(5000), secretBox)

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

test('after a restart the partner account is updated only if it is the simulated one', async () => {
  const { database } = fixture
  const partnerAt = (url: string) => ({
    serviceAccount: {
      client_email: 'a@b.example',
      private_key: '-----BEGIN PRIVATE KEY-----',
      token_uri: `${url}/token`,
    },
    apiUrl: url,
    managementUrl: `${url}/management`,
  })
  const key = rcsPartnerKey
  const moved = async (url: string) => {
    await pointDemoAtSimulator(database, placeOf(6000), secretBox)
    await asSystem(database, (db) => saveInstallationSettings(db, { key, settings: partnerAt(url), secretBox }))
    await pointDemoAtSimulator(database, placeOf(7000), secretBox)
    return asSystem(database, (db) => findInstallationSettings(db, { key, secretBox }))
  }
  expect(await moved('http://127.0.0.1:6000/rbm')).toEqual(partnerAt('http://127.0.0.1:7000/rbm'))
  expect(await moved('https://rbm.example')).toEqual(partnerAt('https://rbm.example'))
})

test('past days end yesterday, in the time zone of each account', async () => {
  const { rows } = await fixture.database.ownerPool.query<{ ago: number }>(`
    select distinct local_day(now(), timezone) - (select max(day) from daily_counters where account_id = accounts.id
      and day < local_day(now(), timezone)) as ago
    from accounts where exists (select from daily_counters where account_id = accounts.id)`)
  expect(rows).toEqual([{ ago: 1 }])
})

test("yesterday's messages of an SMS account match its organization's daily total", async () => {
  const { database } = fixture
  const { ownerPool } = database
  const { rows: managers } = await ownerPool.query<{ id: string; organization_id: string }>(
    `select id, organization_id from accounts where username = 'manager'`,
  )
  const { id = '', organization_id: organizationId = '' } = managers[0] ?? {}
  const accountId = await addAccount(organizationId, { host: '127.0.0.1', port: 2776, systemId: 'points' })
  await ownerPool.query(
    `insert into senders (organization_id, id, provider_account_id, channel, name, created_by)
     values ($1, $2, $3, 'sms', 'Route', $4)`,
    [organizationId, newId(), accountId, id],
  )
  await asSystem(database, addSenderPoints)

  const sums = 'sum(delivered)::int as delivered, sum(failed)::int as failed, sum(sent)::int as sent'
  const { rows: points } = await ownerPool.query(
    `select ${sums}, sum(submitted - delivered - failed - sent)::int as rest, count(*)::int as count
     from sender_points where organization_id = $1`,
    [organizationId],
  )
  const { rows: days } = await ownerPool.query(
    `select ${sums}, 0 as rest, 48 as count from daily_counters
     where organization_id = $1 and channel = 'sms' and day = local_day(now(), 'Asia/Kolkata') - 1`,
    [organizationId],
  )
  expect(points).toEqual(days)
})

test('the figures of the demo equal its messages and its ledger', async () => {
  const { database, drop } = await testDatabase()
  try {
    await seedDemo(database)
    expect(await findMismatches(database)).toEqual([])
  } finally {
    await drop()
  }
})
