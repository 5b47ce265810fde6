import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from './db/pool.ts'
import { buildBelongings, type Belongings } from './testing/belongings.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from './testing/builders.ts'
import { findIdPlaces, put, sampleCall } from './testing/call-samples.ts'
import { testServer, type TestServer } from './testing/server.ts'

/** Each tenant's texts carry a mark of its own; a mark in anybody else's answer is a leak, whatever call it came by. */
const marks = { acme: 'Canaryacme', foreign: 'Canaryforeign', above: 'Canaryabove' }

let server: TestServer
let people: Record<string, Account>
let acmeHas: Belongings
let foreignHas: Belongings

beforeAll(async () => {
  server = await testServer({ environment: { DATABASE_POOL: '20' } })
  const { database } = server
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const head = await buildDepartmentHead(database, { parent: manager })
  const user = await buildUser(database, { parent: head })
  const otherReseller = await buildReseller(database, { parent: admin })
  const foreign = await buildManager(database, { parent: otherReseller })
  people = { reseller, manager, head, user }
  acmeHas = await buildBelongings(database, manager, { mark: marks.acme })
  foreignHas = await buildBelongings(database, foreign, { mark: marks.foreign })
  await buildBelongings(database, otherReseller, { mark: marks.above })
  await asSystem(database, (db) =>
    sql`update accounts set name = name || ' ' || case when id = ${foreign.id}::uuid then ${marks.foreign} else ${marks.above} end
      where path <@ ${otherReseller.path}::ltree`.execute(db),
  )
})
afterAll(() => server.close())

const reads = (Object.keys(endpoints) as EndpointName[]).filter((name) => endpoints[name].route.startsWith('GET '))

/** The call as it stands, and with every id of one's own and of the foreigner in each of its places. */
function askings(name: EndpointName) {
  const endpoint: Endpoint = endpoints[name]
  const sample = sampleCall(name)
  const ids = [...Object.values(acmeHas), ...Object.values(foreignHas)]
  return [sample, ...findIdPlaces(endpoint).flatMap((place) => ids.map((id) => put(sample, place, id)))]
}

test.each(reads)('%s tells nobody of another reseller or its customers', async (name) => {
  for (const account of Object.values(people)) {
    for (const asking of askings(name)) {
      const { text } = await server.call(name, { ...asking, as: account })
      expect(text).not.toContain(marks.foreign)
      expect(text).not.toContain(marks.above)
    }
  }
})

test('the marks do show to those whose they are, so that their absence means something', async () => {
  const seen = new Set<EndpointName>()
  for (const name of reads) {
    for (const asking of askings(name)) {
      const { text } = await server.call(name, { ...asking, as: people['manager'] as Account })
      if (text.includes(marks.acme)) seen.add(name)
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'smsAccounts.list',
      'smsTemplates.list',
      'smsCampaigns.list',
      'messages.byNumber',
      'uploads.list',
      'topUps.list',
      'support.list',
      'support.messages',
      'notifications.list',
      'invitations.list',
      'invoices.list',
      'rateCards.list',
    ]),
  )
})
