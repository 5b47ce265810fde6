import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'

const log: string[] = []
let server: TestServer

beforeAll(async () => {
  server = await testServer({ log })
})
afterAll(() => server.close())

const report = (address: string) => server.call('auth.reportIncident', { body: { address } })
const logged = () =>
  log
    .map((line) => JSON.parse(line) as { msg?: string; address?: string })
    .filter(({ msg }) => msg === 'Suspicious address')

test('an incident reported by a browser is logged without user input', async () => {
  const token = 'ab'.repeat(32)
  const answer = await report(`/organization/campaigns?q=<script>&t=${token}&n=919876543210`)
  expect(answer.status).toBe(200)
  expect(logged()).toMatchObject([{ address: '/organization/campaigns?q=…&t=…&n=…' }])
  expect(log.join('')).not.toContain(token)
})

test('further reports of one client are dropped for a while', async () => {
  for (let count = 0; count < 30; count += 1) expect((await report(`/?q=${count};`)).status).toBe(200)
  expect(logged()).toHaveLength(20)
})
