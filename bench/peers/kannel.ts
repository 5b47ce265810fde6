/**
 * Kannel compared with the campaign of `smpp`: the same simulator in the same process, the same two connections and window,
 * from the first HTTP request to the last delivery report. Its queue is stored in a file, ours in tables.
 * For both, reports arrive 100 ms after their message: Kannel loses a report that overtakes its submit response, and
 * each loss slows its search of open reports. Reports still missing at the end are printed.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool, request } from 'undici'
import { phoneOf } from '../../packages/server/src/modules/messages/test-lane.ts'
import { benchDatabase, contest } from '../harness.ts'
import { people, sendCampaign, startSimulatorProcess, window } from '../smpp.ts'
import { freePort, isInstalled, start, stop, untilOpen } from './process.ts'

const connections = 64
const patienceMs = 5000

export async function benchKannel(): Promise<void> {
  if (!isInstalled('bearerbox')) {
    console.log('kannel: install Kannel (bearerbox and smsbox; on Debian the package kannel) and run this again')
    return
  }
  const bench = await benchDatabase()
  const simulator = await startSimulatorProcess()
  try {
    // A separate account: Kannel sends no password longer than eight characters.
    await ask(simulator.http, 'accounts', { systemId: 'kannel', password: 'kannel' })
    await ask(simulator.http, 'faults', { receiptDelayMs: [100, 100] })
    await contest({
      name: 'kannel',
      unit: 'messages',
      count: people,
      target: 1,
      against: 'Kannel',
      database: bench.database,
      ours: () => sendCampaign(bench, simulator.smsc),
      limit: () => sendThroughKannel(simulator.smsc),
    })
  } finally {
    simulator.process.kill('SIGTERM')
    await once(simulator.process, 'exit')
    await bench.drop()
  }
}

async function ask(port: number, what: string, body: object): Promise<void> {
  const { statusCode } = await request(`http://127.0.0.1:${port}/api/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (statusCode !== 200) throw new Error(`The simulator refuses ${what}: ${statusCode}`)
}

async function sendThroughKannel(smsc: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  const [admin, boxes, http, reports] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const file = join(directory, 'kannel.conf')
  writeFileSync(file, configuration({ directory, smsc, admin, boxes, http }))
  const started: ChildProcess[] = []
  try {
    for (const [program, port] of [
      ['bearerbox', boxes],
      ['smsbox', http],
    ] as const) {
      started.unshift(start(program, ['-v', '4', file]))
      await untilOpen(port)
    }
    // Its connections to the SMSC take a moment to open.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    return await sendAll({ http, reports })
  } finally {
    for (const child of started) await stop(child)
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Returns the seconds until the last report. */
async function sendAll({ http, reports }: { http: number; reports: number }): Promise<number> {
  const begin = performance.now()
  let delivered = 0
  let lastAt = begin
  const server = createServer((_, response) => {
    response.end()
    delivered += 1
    lastAt = performance.now()
  })
  await new Promise<void>((ready) => server.listen(reports, '127.0.0.1', ready))
  const pool = new Pool(`http://127.0.0.1:${http}`, { connections })
  const fixed = new URLSearchParams({
    username: 'bench',
    password: 'bench',
    from: 'ACMEIN',
    text: 'Dear Asha, your parcel to Pune is on its way and arrives tomorrow.',
    'dlr-mask': '3',
    'dlr-url': `http://127.0.0.1:${reports}/`,
  })
  let next = 0
  const send = async () => {
    while (next < people) {
      const to = phoneOf(next)
      next += 1
      const { statusCode, body } = await pool.request({ path: `/cgi-bin/sendsms?${fixed}&to=${to}`, method: 'GET' })
      const answer = await body.text()
      if (statusCode !== 202) throw new Error(`Kannel: ${statusCode} ${answer}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  while (delivered < people && performance.now() - lastAt < patienceMs)
    await new Promise((resolve) => setTimeout(resolve, 20))
  if (delivered < people) console.log(`  Kannel told of ${delivered.toLocaleString('en')} deliveries only`)
  await pool.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  return (lastAt - begin) / 1000
}

type Places = { directory: string; smsc: number; admin: number; boxes: number; http: number }

function configuration({ directory, smsc, admin, boxes, http }: Places): string {
  return `
group = core
admin-port = ${admin}
admin-password = bench
smsbox-port = ${boxes}
store-type = file
store-location = ${join(directory, 'store')}
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smsc}
transceiver-mode = true
smsc-username = kannel
smsc-password = kannel
system-type = ""
instances = 2
max-pending-submits = ${window}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${http}

group = sendsms-user
username = bench
password = bench
max-messages = 1

group = sms-service
keyword = default
text = ""
max-messages = 0
`
}
