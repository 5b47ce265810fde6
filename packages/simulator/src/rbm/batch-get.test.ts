import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Partner, startPartner } from './testing.ts'

let partner: Partner
beforeEach(async () => {
  partner = await startPartner()
})
afterEach(() => partner.close())

const ask = (users: string[], host = 'asia') =>
  partner.call(`POST ${host}/v1/users:batchGet`, { users, agentId: partner.agentId })
const many = (count: number) => Array.from({ length: count }, (_, index) => `+9198${String(index).padStart(8, '0')}`)

test('reachable numbers; a small list has no sample', async () => {
  expect((await ask(['+919812345678', '+919812340404', '+919412345678'])).body).toEqual({
    reachableUsers: ['+919812345678'],
    totalRandomSampleUserCount: 0,
    reachableRandomSampleUserCount: 0,
  })
})

test('a sample of about three quarters, of the share of reachable numbers', async () => {
  partner.simulator.setFaults({ magicNumbers: false })
  partner.control.set({ reachShare: 0.6 })
  const { body } = await ask(many(2000))
  expect(body.totalRandomSampleUserCount).toBeGreaterThan(1400)
  expect(body.totalRandomSampleUserCount).toBeLessThan(1600)
  const share = Number(body.reachableRandomSampleUserCount) / Number(body.totalRandomSampleUserCount)
  expect(share).toBeGreaterThan(0.54)
  expect(share).toBeLessThan(0.66)
  expect((await ask(many(2000))).body).toEqual(body)
})

test('numbers of one region go to the host of that region', async () => {
  expect((await ask(['+12025550123'], 'us')).status).toBe(200)
  expect((await ask(['+447700900123'], 'europe')).status).toBe(200)
  expect((await ask(['+919812345678'], 'us')).status).toBe(400)
  expect((await ask(['+919812345678'], 'global')).status).toBe(400)
  expect((await ask(['+919812345678', '+12025550123'])).status).toBe(400)
})

test('at most 10,000 numbers, and 600 calls a minute', async () => {
  expect((await ask(many(10_000))).status).toBe(200)
  expect((await ask(many(10_001))).status).toBe(400)
  expect((await ask([])).status).toBe(400)
  expect((await ask(['98123'])).status).toBe(400)
  partner.control.set({ batchGetsPerMinute: 1 })
  expect((await ask(many(1))).status).toBe(429)
})
