import type { FailPoint } from '@carillon/server/lib/fail-points'
import { pause, prepare, startCampaign, type Route } from './campaign.ts'
import { judge, type Verdict } from './judge.ts'
import type { World } from './world.ts'

/** The points that a campaign passes; a process is told to end itself exactly there. */
export const failPoints: readonly FailPoint[] = [
  'after-lease',
  'before-mark',
  'after-mark',
  'mid-wire',
  'after-wire',
  'before-record',
  'after-record',
  'before-done',
  'after-capture',
  'before-events',
  'after-events',
]

export type Storm = {
  route: Route
  phones: string[]
  ratePerSecond: number
  /** Each is done while the campaign runs, one after the other. */
  blows: ((world: World) => Promise<void>)[]
}

export type Aftermath = Verdict & {
  blows: number
  /** Seconds from the end of a blow, when every process was started again, to the next message on any phone, at the longest. */
  longestRecovery: number
}

/** Runs one campaign through the blows, waits until nothing more can happen, and holds the phones against the database. */
export async function weather(world: World, { route, phones, ratePerSecond, blows }: Storm): Promise<Aftermath> {
  const prepared = await prepare(world, route, ratePerSecond)
  const campaignId = await startCampaign(world, { ...prepared, phones, name: `Storm over ${route}` })
  let struck = 0
  let longestRecovery = 0
  for (const blow of blows) {
    if (await isDone(world, campaignId)) break
    await blow(world)
    struck += 1
    longestRecovery = Math.max(longestRecovery, await recovery(world, campaignId))
  }
  await until(() => isDone(world, campaignId), 300_000)
  await until(() => isReported(world, campaignId), 30_000)
  return { ...(await judge(world, { campaignId, phones })), blows: struck, longestRecovery }
}

/** A sender that ends itself at a named point, the n-th time it comes there, and is started again. */
export function killAt(point: FailPoint, nth: number, sender = 0) {
  return async ({ senders }: World) => {
    const process = senders[sender % senders.length]
    if (!process) return
    await process.kill()
    await process.restart({ FAIL_POINTS: `${point}:kill:${nth}` })
    await Promise.race([process.ended(), pause(5000)])
    await process.kill()
    await process.restart()
  }
}

export type Victim = 'sender' | 'worker' | 'web' | 'postgres'

/** Anybody, at any time. */
export function killAnytime(victim: Victim, afterMs: number, sender = 0) {
  return async (world: World) => {
    await pause(afterMs)
    if (victim === 'postgres') {
      await world.postgres.kill()
      await world.postgres.restart()
      return
    }
    const process = victim === 'sender' ? world.senders[sender % world.senders.length] : world[victim]
    await process?.kill()
    await process?.restart()
  }
}

async function received(world: World): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${world.simulatorPorts.http}/api/stats`)
  return ((await answer.json()) as { received: number }).received
}

/** Seconds until the phones receive again; nothing to wait for once the campaign is done. */
async function recovery(world: World, campaignId: string): Promise<number> {
  const before = { count: await received(world), at: Date.now() }
  await until(async () => (await received(world)) > before.count || isDone(world, campaignId), 60_000)
  return (Date.now() - before.at) / 1000
}

async function isDone(world: World, campaignId: string): Promise<boolean> {
  const { status } = await world.api.call<{ status: string }>('smsCampaigns.get', { path: { id: campaignId } })
  return ['completed', 'cancelled', 'failed'].includes(status)
}

/** The operator has said its last word on everything it took. */
async function isReported(world: World, campaignId: string): Promise<boolean> {
  const { stats } = await world.api.call<{ stats: { sent: number } }>('smsCampaigns.get', { path: { id: campaignId } })
  return stats.sent === 0
}

async function until(check: () => Promise<boolean>, withinMs: number) {
  const deadline = Date.now() + withinMs
  while (!(await check())) {
    if (Date.now() > deadline) return
    await pause(100)
  }
}
