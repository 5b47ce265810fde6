import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCanaryFixtures, marks, type CanaryFixtures } from './testing/canary-fixtures.ts'
import { findIdPlaces, put, sampleCall } from './testing/call-samples.ts'
import { readableText } from './testing/readable.ts'
import { testServer, type TestServer } from './testing/server.ts'

let server: TestServer
let fixtures: CanaryFixtures

beforeAll(async () => {
  server = await testServer({ environment: { DATABASE_POOL: '20' } })
  fixtures = await buildCanaryFixtures(server.database)
})
afterAll(() => server.close())

const reads = (Object.keys(endpoints) as EndpointName[]).filter((name) => endpoints[name].route.startsWith('GET '))

/** The call as is, and with the caller's and the foreign ids in each id field. */
function askings(name: EndpointName) {
  const endpoint: Endpoint = endpoints[name]
  const sample = sampleCall(name)
  const ids = [...Object.values(fixtures.acmeHas), ...Object.values(fixtures.foreignHas)]
  return [sample, ...findIdPlaces(endpoint).flatMap((place) => ids.map((id) => put(sample, place, id)))]
}

test.each(reads)('%s returns no data of another reseller or its customers', async (name) => {
  for (const account of Object.values(fixtures.people)) {
    for (const asking of askings(name)) {
      const text = readableText(await server.callUnchecked(name, { ...asking, as: account }))
      expect(text).not.toContain(marks.foreign)
      expect(text).not.toContain(marks.above)
    }
  }
})

test('the marks are visible to their own tenant, so that their absence is meaningful', async () => {
  const seen = new Set<EndpointName>()
  for (const name of reads) {
    for (const asking of askings(name)) {
      const text = readableText(await server.callUnchecked(name, { ...asking, as: fixtures.people.manager }))
      if (text.includes(marks.acme)) seen.add(name)
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'smsAccounts.list',
      'smsTemplates.list',
      'wabas.list',
      'waTemplates.list',
      'smsCampaigns.list',
      'messages.byNumber',
      'uploads.list',
      'topUps.list',
      'support.list',
      'support.get',
      'support.messages',
      'notifications.list',
      'invitations.list',
      'invoices.list',
      'rateCards.list',
      'invoices.pdf',
      'statement.pdf',
      'reports.campaignNumbers',
      'reports.campaignExcel',
    ]),
  )
})
