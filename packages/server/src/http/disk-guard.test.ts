import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildManager, type Account } from '../testing/builders.ts'
import { sampleCall } from '../testing/call-samples.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { createDiskGuard } from './disk-guard.ts'

let free = 1
let server: TestServer
let manager: Account
beforeAll(async () => {
  server = await testServer({ readFreeShare: async () => free, flags: ['--run=web'] })
  manager = await buildManager(server.database)
})
afterAll(() => server.close())
afterEach(() => {
  free = 1
})

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
  // Where the system does not say.
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

test('over HTTP: uploads and new campaigns are refused in plain words, callbacks and reads are not', async () => {
  free = 0.08
  const upload = await server.call('uploads.create', { ...sampleCall('uploads.create'), as: manager })
  expect(upload).toMatchObject({
    status: 507,
    body: {
      success: false,
      code: 'disk_full',
      message: 'Less than 10 % of the server’s disk is free: uploads and new campaigns are refused until there is more',
    },
  })
  const draft = await server.call('drafts.create', { ...sampleCall('drafts.create'), as: manager })
  expect(draft.status).toBe(507)
  expect((await server.call('campaigns.list', { as: manager })).status).toBe(200)
  const callback = await fetch(`${server.url}/hooks/${'0'.repeat(32)}/report`, { method: 'POST', body: '{}' })
  expect(callback.status).toBe(404)
})
