/**
 * `npm run chaos -- --kills 50`: sends campaigns over SMPP, over the HTTP gateway, over SMPP as an A/B test, over WhatsApp with SMS as failover, over RCS
 * with SMS as failover, and over RCS with WhatsApp and then SMS as failover, and sends single messages by the public API, while
 * the product's processes and its database are killed at named points and at random, and one more campaign from a single
 * process whose embedded database is killed. What the phones received is compared with the database. `--seed N` repeats a run.
 */
import { parseArgs } from 'node:util'
import { numbers } from './campaign.ts'
import { createSingleProcess } from './single-process.ts'
import {
  apiFailPoints,
  failPoints,
  killAnytime,
  killAt,
  killDatabase,
  rcsFailPoints,
  weather,
  whatsappFailPoints,
  type Route,
  type Victim,
} from './storm.ts'
import { weatherApi } from './public-api.ts'
import { rcsNumbers } from './rcs.ts'
import { whatsappNumbers } from './whatsapp.ts'
import { createWorld, type World } from './world.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    recipients: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    route: { type: 'string', default: 'smpp,http-gateway,ab-test,whatsapp,rcs,rcs-whatsapp,api,single-process' },
    /** Messages per second: slow enough that messages are in flight at every kill. */
    rate: { type: 'string', default: '250' },
  },
})
const seed = Number(values.seed)
const random = generator(seed)
/** `single-process` is SMPP from one process with the embedded database. */
const routes = values.route.split(',') as (Route | 'api' | 'single-process')[]
const victims: readonly (Victim | 'postgres')[] = ['sender', 'sender', 'worker', 'web', 'postgres']
/** Maximum time before a killed database is restarted. */
const longestAwayMs = 8000

/** Seconds within which sending must resume after a fault. */
const longestAllowed = 10

/** Time after which recipients not reached by WhatsApp fail over to SMS: the minimum of a campaign. */
const afterSeconds = 30

console.log(`SEED=${seed} npm run chaos -- --kills ${values.kills} --recipients ${values.recipients} --seed ${seed}`)
let failed = false
const shared = routes.some((route) => route !== 'single-process')
  ? await createWorld({ senderCount: 2, waitsForLeases: true })
  : undefined
try {
  for (const [index, route] of routes.entries()) {
    if (route === 'api' && shared) await runApi(shared)
    else if (route !== 'single-process' && route !== 'api' && shared) await run(shared, route, index)
  }
} finally {
  await shared?.close()
}
if (routes.includes('single-process')) {
  const single = await createSingleProcess()
  try {
    await run(single, 'single-process', routes.length)
  } finally {
    await single.close()
  }
}
console.log(failed ? 'chaos: FAILED' : 'chaos: nothing accepted was lost, nothing arrived twice, the ledger is whole')
process.exit(failed ? 1 : 0)

/** A tenth of the recipients as calls: some are batches, and each message has several webhooks. */
async function runApi(world: World) {
  const kills = Math.ceil(Number(values.kills) / routes.length)
  const blows = Array.from({ length: kills }, (_, number) => {
    const { point, victim } = apiFailPoints[(number / 2) % apiFailPoints.length] ?? {}
    return point ? killAt(point, 1 + Math.floor(random() * 3), victim) : blow('smpp', number)
  })
  const calls = Math.ceil(Number(values.recipients) / 10)
  const verdict = await weatherApi(world, { calls, callsPerSecond: 40, blows })
  console.log(`api: ${JSON.stringify(verdict)}`)
  failed ||= verdict.complaints.length > 0
}

async function run(world: World, name: Route | 'single-process', index: number) {
  const isSingle = name === 'single-process'
  const route = isSingle ? 'smpp' : name
  const kills = Math.ceil(Number(values.kills) / routes.length)
  const blows = Array.from({ length: kills }, (_, number) =>
    isSingle ? killDatabase(random() * 1500, 0) : blow(route, number),
  )
  const failsOver = !isSms(route)
  const count = Number(values.recipients)
  const phones = phonesOf(route, count, index)
  const patience = failsOver ? { afterSeconds } : {}
  const aftermath = await weather(world, { route, phones, ratePerSecond: Number(values.rate), blows, ...patience })
  console.log(`${name}: ${JSON.stringify(aftermath)}`)
  if (aftermath.longestRecovery > longestAllowed) aftermath.complaints.push('sending did not resume in time')
  failed ||= aftermath.complaints.length > 0
}

function isSms(route: Route): boolean {
  return route === 'smpp' || route === 'http-gateway' || route === 'ab-test'
}

function phonesOf(route: Route, count: number, index: number): string[] {
  if (route === 'whatsapp') return whatsappNumbers(count, { withSilent: true })
  return route === 'rcs' || route === 'rcs-whatsapp' ? rcsNumbers(count) : numbers(count, 10 + index)
}

/** Half of the kills at a fail point of a process that passes it, the others in any process at any time. */
function blow(route: Route, number: number) {
  const sender = Math.floor(random() * 2)
  if (number % 2 === 1) {
    const victim = victims[Math.floor(random() * victims.length)] ?? 'sender'
    const afterMs = random() * 1500
    return victim === 'postgres'
      ? killDatabase(afterMs, random() * longestAwayMs)
      : killAnytime(victim, afterMs, sender)
  }
  const nth = 1 + Math.floor(random() * 3)
  if (isSms(route)) return killAt(failPoints[(number / 2) % failPoints.length] ?? 'after-watermark', nth, sender)
  const points = route === 'whatsapp' ? whatsappFailPoints : rcsFailPoints
  const { point, victim } = points[(number / 2) % points.length] ?? {
    point: 'after-watermark',
    victim: 0,
  }
  return killAt(point, nth, victim === 'web' ? victim : sender)
}

/** A small seeded generator (mulberry32): the same seed produces the same faults in the same order. */
function generator(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}
