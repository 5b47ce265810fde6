/** Lists of campaigns at a steady pace, first alone and then while a hundred calls wait for a provider that never answers. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { buildManager, type Account } from '../packages/server/src/testing/builders.ts'
import { randomMetaId } from '../packages/server/src/testing/meta-ids.ts'
import { startServer } from './api.ts'
import { benchDatabase, machine } from './harness.ts'
import { openLoop, percentile } from './open-loop.ts'

const pace = { perSecond: 200, seconds: 10 }
const organizations = 10
const callsEach = 10
const wantedMs = 100

export async function benchHangingProvider(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  let waiting = 0
  const provider = createServer(() => (waiting += 1)).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  // A server on a port has the address of one.
  const { port } = provider.address() as AddressInfo
  try {
    const server = await startServer(bench.url, dataDirectory, { EGRESS_ALLOW: `127.0.0.1:${port}` })
    const pool = new Pool(server.url, { connections: 200 })
    try {
      const managers = await Promise.all(Array.from({ length: organizations }, () => buildManager(bench.database)))
      const listCampaigns = () => list(pool, managers[0])
      await openLoop(mixOf(listCampaigns), { perSecond: 100, seconds: 5 })
      console.log(`hanging provider: ${pace.perSecond} calls/s; ${machine()}`)
      await report('idle', listCampaigns)
      for (const manager of managers) connectAll(pool, manager, `http://127.0.0.1:${port}`)
      while (waiting < organizations * callsEach) await new Promise((resolve) => setTimeout(resolve, 50))
      await report(`${waiting} calls wait`, listCampaigns)
      console.log(`wanted a p99 of at most ${wantedMs} ms while they wait`)
    } finally {
      server.process.kill('SIGKILL')
      await once(server.process, 'exit')
      await pool.destroy()
    }
  } finally {
    provider.closeAllConnections()
    provider.close()
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function list(pool: Pool, manager: Account | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${manager?.token}` }
  const { statusCode, body } = await pool.request({ path: '/api/sms/campaigns', method: 'GET', headers })
  await body.dump()
  if (statusCode !== 200) throw new Error(`The list answered ${statusCode}`)
}

/** The calls end with the server. */
function connectAll(pool: Pool, manager: Account, graphUrl: string): void {
  for (let call = 0; call < callsEach; call += 1) void connect(pool, manager, graphUrl).catch(() => undefined)
}

async function connect(pool: Pool, manager: Account, graphUrl: string): Promise<void> {
  const { body } = await pool.request({
    path: '/api/waba/connections',
    method: 'POST',
    headers: { authorization: `Bearer ${manager.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      waba_id: randomMetaId(),
      accessToken: 'token',
      appId: '240000000000009',
      appSecret: 'a secret of nobody',
      graphUrl,
    }),
  })
  await body.dump()
}

const mixOf = (call: () => Promise<void>) => [{ name: 'campaign list', share: 100, call }]

async function report(name: string, call: () => Promise<void>): Promise<void> {
  const latencies = [...(await openLoop(mixOf(call), pace)).values()].flat()
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(1))
  console.log(`${name.padEnd(16)} p50 ${p50} ms  p99 ${p99} ms`)
}
