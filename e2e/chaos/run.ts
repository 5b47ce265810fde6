/**
 * `npm run chaos -- --kills 50`: sends campaigns through both routes while the product's processes and its database are killed
 * at named points and at random; what the phones received is held against what the database says. `--seed N` repeats a run.
 */
import { parseArgs } from 'node:util'
import { numbers, pause, prepare, startCampaign, type Route } from './campaign.ts'
import { judge, type Verdict } from './judge.ts'
import { createWorld, type World } from './world.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    recipients: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    route: { type: 'string', default: 'smpp,http-gateway' },
  },
})
const failPoints = ['after-lease', 'before-mark', 'after-mark', 'mid-wire', 'after-wire', 'before-record', 'after-record', 'before-done', 'after-capture', 'before-events', 'after-events']
const seed = Number(values.seed)
const random = generator(seed)
const routes = values.route.split(',') as Route[]

console.log(`SEED=${seed} npm run chaos -- --kills ${values.kills} --recipients ${values.recipients} --seed ${seed}`)
const world = await createWorld({ senderCount: 2 })
let failed = false
try {
  for (const [index, route] of routes.entries()) {
    const verdict = await storm(route, { kills: Math.ceil(Number(values.kills) / routes.length), phones: numbers(Number(values.recipients), 10 + index) })
    console.log(`${route}: ${JSON.stringify(verdict)}`)
    failed ||= verdict.complaints.length > 0
  }
} finally {
  await world.close()
}
console.log(failed ? 'chaos: FAILED' : 'chaos: nothing accepted was lost, nothing arrived twice, the ledger is whole')
process.exit(failed ? 1 : 0)

async function storm(route: Route, { kills, phones }: { kills: number; phones: string[] }): Promise<Verdict> {
  const prepared = await prepare(world, route)
  const campaignId = await startCampaign(world, { ...prepared, phones, name: `Chaos over ${route}` })
  let slowest = 0
  for (let kill = 1; kill <= kills && !(await isDone(world, campaignId)); kill += 1) {
    const before = await received(world)
    await killOne(kill)
    slowest = Math.max(slowest, await untilSendingResumes(world, { campaignId, before }))
  }
  await untilDone(world, campaignId)
  console.log(`${route}: the longest stretch without a message after a kill was ${slowest.toFixed(1)} s`)
  return judge(world, { campaignId, phones })
}

/** Half the time at a named point of a sender, else anybody at any time. */
async function killOne(kill: number) {
  const sender = pick(world.senders)
  if (kill % 2 === 1) {
    const point = failPoints[Math.floor(kill / 2) % failPoints.length] ?? 'after-mark'
    await sender.kill()
    await sender.restart({ FAIL_POINTS: `${point}:kill:${1 + Math.floor(random() * 5)}` })
    await Promise.race([sender.ended(), pause(3000)])
    await sender.kill()
    await sender.restart()
    return
  }
  await pause(random() * 1500)
  const victim = pick(['sender', 'sender', 'worker', 'web', 'postgres'] as const)
  if (victim === 'postgres') {
    await world.postgres.kill()
    await world.postgres.restart()
    return
  }
  const process = victim === 'sender' ? sender : world[victim]
  await process.kill()
  await process.restart()
}

async function received(world: World): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${world.simulatorPorts.http}/api/stats`)
  return ((await answer.json()) as { received: number }).received
}

async function untilSendingResumes(world: World, { campaignId, before }: { campaignId: string; before: number }): Promise<number> {
  const started = Date.now()
  while ((await received(world)) <= before && !(await isDone(world, campaignId))) {
    if (Date.now() - started > 60_000) throw new Error('Sending did not resume within a minute')
    await pause(50)
  }
  return (Date.now() - started) / 1000
}

async function isDone(world: World, campaignId: string): Promise<boolean> {
  const { status } = await world.api.call<{ status: string }>('smsCampaigns.get', { path: { id: campaignId } })
  return ['completed', 'cancelled', 'failed'].includes(status)
}

async function untilDone(world: World, campaignId: string) {
  const deadline = Date.now() + 300_000
  while (!(await isDone(world, campaignId))) {
    if (Date.now() > deadline) throw new Error('The campaign did not complete')
    await pause(500)
  }
}

function pick<Thing>(things: readonly Thing[]): Thing {
  const thing = things[Math.floor(random() * things.length)]
  if (thing === undefined) throw new Error('Nothing to pick from')
  return thing
}

/** A small seeded generator (mulberry32): the same seed kills the same processes in the same order. */
function generator(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}
