import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, signIn, type Account } from '../testing/builders.ts'
import { sampleCall } from '../testing/call-samples.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'
import { createDiskGuard } from './disk-guard.ts'

let free = 1
let server: TestServer
let callers: { admin: Account; reseller: Account; manager: Account }
let callbackUrl: string
beforeAll(async () => {
  server = await testServer({ readFreeShare: async () => free, flags: ['--run=web'] })
  const admin = await buildAdmin(server.database)
  const reseller = await buildReseller(server.database, { parent: admin })
  callers = { admin, reseller, manager: await buildManager(server.database, { parent: reseller }) }
  const call = { ...sampleCall('smsAccounts.create'), as: callers.manager }
  const data = (await server.callUnchecked('smsAccounts.create', call)).data()
  callbackUrl = `${server.url}/hooks/${data.callbackUrl?.split('/hooks/')[1]}/inbound`
})
afterAll(() => server.close())

const endpoint = { summary: '', roles: 'public', data: 'file', fallback: '' } as const
const calls = {
  read: { ...endpoint, route: 'GET /api/things' },
  write: { ...endpoint, route: 'POST /api/things' },
  upload: { ...endpoint, route: 'POST /api/uploads', files: { file: { maximumBytes: 1 } } },
  campaign: { ...endpoint, route: 'POST /api/campaigns', onLowDisk: 'refuse' },
  stop: { ...endpoint, route: 'POST /api/stop', onLowDisk: 'accept' },
  deletion: { ...endpoint, route: 'DELETE /api/things' },
} as const

describe.each([
  [0.5, []],
  [0.1, []],
  [0.09, ['upload', 'campaign']],
  [0.04, ['write', 'upload', 'campaign']],
  // If the system does not report it.
  [undefined, []],
] as const)('with a share of %s of the disk free', (share, refused) => {
  test.each(Object.entries(calls))('%s', async (name, call) => {
    const { assertRoom } = createDiskGuard({ directory: '/', read: async () => share })
    const answer = await assertRoom(call).then(
      () => undefined,
      (problem: unknown) => problem,
    )
    if (refused.some((one) => one === name)) expect(answer).toMatchObject({ code: 'disk_full', status: 507 })
    else expect(answer).toBeUndefined()
  })
})

const names = Object.keys(endpoints) as EndpointName[]

function isRefused({ route, files, onLowDisk }: Endpoint, share: number): boolean {
  if (/^(GET|DELETE) /.test(route) || onLowDisk === 'accept') return false
  return share < 0.05 || files !== undefined || onLowDisk === 'refuse'
}

describe.each([
  [0.08, 'Less than 10 % of the server’s disk is free: uploads and new campaigns are rejected until space is freed'],
  [0.04, 'Less than 5 % of the server’s disk is free: changes are rejected until space is freed'],
])('over HTTP, with a share of %s of the disk free', (share, message) => {
  const upload = async () => {
    const as = await signIn(server.database, callers.manager)
    return server.callUnchecked('uploads.create', { ...sampleCall('uploads.create'), as })
  }
  beforeAll(async () => {
    free = share
    // The result is cached for a moment.
    await until(async () => (await upload()).status === 507, 'the refusal')
    await new Promise((resume) => setTimeout(resume, 1100))
  })

  test.each(names)('%s', async (name) => {
    const { roles }: Endpoint = endpoints[name]
    const role = (['manager', 'reseller', 'admin'] as const).find(
      (one) => typeof roles === 'string' || roles.includes(one),
    )
    const as = await signIn(server.database, callers[role ?? 'manager'])
    const answer = await server.callUnchecked(name, { ...sampleCall(name), ...(roles === 'public' ? {} : { as }) })
    expect(answer.status === 507).toBe(isRefused(endpoints[name], share))
  })

  test('an error names the reason', async () => {
    const as = await signIn(server.database, callers.manager)
    const support = await server.callUnchecked('support.open', { ...sampleCall('support.open'), as })
    const refused = share < 0.05 ? support : await upload()
    expect(refused).toMatchObject({ status: 507, body: { success: false, code: 'disk_full', message } })
  })

  test('a STOP received by callback is processed', async () => {
    const phone = 919_812_300_000 + share * 100
    const answer = await fetch(callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: newId(), from: String(phone), to: 'CARLLN', text: 'STOP', at: new Date() }),
    })
    expect(answer.status).toBe(200)
    const { rows } = await server.database.ownerPool.query('select from opt_outs where phone = $1', [phone])
    expect(rows).toHaveLength(1)
  })
})
