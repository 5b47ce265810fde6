import { endpoints, type Endpoint, type EndpointName, type Endpoints } from '@carillon/contract'
import { Module } from '@carillon/contract/roles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildFixtures, type Fixtures } from './testing/fixtures.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from './testing/builders.ts'
import { filledCall } from './testing/call-samples.ts'
import { testServer, type TestServer } from './testing/server.ts'
import { until } from './testing/until.ts'

type Download = { [Name in EndpointName]: Endpoints[Name]['data'] extends 'file' ? Name : never }[EndpointName]

/** The JSON call with the same data as the file. Logos, images of bots and media of templates are public; files of messages have tests of their own. */
const shownBy: Record<
  Exclude<Download, 'brand.logo' | 'bots.asset' | 'rcsMedia.file' | 'conversations.file'>,
  EndpointName
> = {
  'audience.rejects': 'audience.get',
  'optOuts.csv': 'optOuts.list',
  'replies.csv': 'replies.list',
  'reports.campaignNumbers': 'campaigns.get',
  'reports.campaignExcel': 'campaigns.get',
  'statement.csv': 'statement.list',
  'statement.pdf': 'statement.list',
  'invoices.pdf': 'invoices.list',
  'margin.csv': 'margin.list',
  'reportFiles.download': 'reportFiles.details',
}
// The keys of the record.
const downloads = Object.keys(shownBy) as (keyof typeof shownBy)[]

let server: TestServer
let admin: Account
let manager: Account
let foreign: Account
let reseller: Account
let has: Fixtures
beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  foreign = await buildManager(server.database, { parent: admin })
  reseller = await buildReseller(server.database, { parent: admin })
  has = {
    ...(await buildFixtures(server.database, manager)),
    audience: await checkAudience(),
    report: await prepareReport(),
  }
})
afterAll(() => server.close())

/** An audience with a rejected row. */
async function checkAudience(): Promise<string> {
  const file = { name: 'people.csv', content: 'Name,Mobile\nAsha,9876543210\nRavi,12\n' }
  const { _id: id } = await server.ask('audience.create', { as: manager, body: {}, files: { file } })
  const read = async () => (await server.call('audience.get', { as: manager, path: { id } })).body
  await until(async () => ((await read()) as { data: { status: string } }).data.status === 'ready', 'the audience')
  return id
}

async function prepareReport(): Promise<string> {
  const path = { from: '2026-11-01', to: '2026-11-07', channel: 'all', campaignId: 'all' } as const
  const { reportId } = await server.ask('reportFiles.generate', { as: manager, path, body: {} })
  const read = async () => server.ask('reportFiles.details', { as: manager, path: { id: reportId } })
  await until(async () => (await read()).status === 'ready', 'the report')
  return reportId
}

/** The owner of the data: margins exist only for resellers. */
const ownerOf = (name: EndpointName) => (name.startsWith('margin.') ? reseller : manager)

const ask = async (name: EndpointName, as: Account) => {
  const { status, body, bytes } = await server.callUnchecked(name, { ...filledCall(name, { as: manager, has }), as })
  return { status, body, isEmpty: bytes.length === 0 }
}

test.each(downloads)('%s requires the roles and the module of the call that returns the same data', (name) => {
  const { roles, module }: Endpoint = endpoints[name]
  const shown: Endpoint = endpoints[shownBy[name]]
  expect({ roles, module }).toEqual({ roles: shown.roles, module: shown.module })
})

test.each(downloads)('%s returns a file to its organisation only', async (name) => {
  expect(await ask(name, ownerOf(name))).toEqual({ status: 200, body: undefined, isEmpty: false })
  if (/^(?:statement|margin)\./.test(name) || name === 'optOuts.csv') return
  expect(await ask(name, foreign)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

describe('with its modules switched off', () => {
  beforeAll(async () => {
    const modulePermissions = Module.options.map((moduleName) => ({ moduleName, granted: false }))
    const body = { userId: manager.id, modulePermissions }
    expect(await server.call('permissions.grant', { as: admin, body })).toMatchObject({ status: 200 })
  })

  test.each(downloads)('%s is rejected exactly like the call that returns the same data', async (name) => {
    const { module }: Endpoint = endpoints[name]
    const shown = await ask(shownBy[name], ownerOf(name))
    const answer = await ask(name, ownerOf(name))
    if (module) expect(answer).toEqual(shown)
    expect([answer.status, shown.status]).toEqual(module ? [403, 403] : [200, 200])
  })
})
