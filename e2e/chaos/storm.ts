import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { FailPoint } from '@carillon/server/lib/fail-points'
import { chooseWinners, pause, prepare, startCampaign, type SmsRoute } from './campaign.ts'
import { judge, lastArrival, type Verdict } from './judge.ts'
import { startRcsCampaign } from './rcs.ts'
import { callSimulator } from './simulator.ts'
import { startWhatsappCampaign } from './whatsapp.ts'
import type { World } from './world.ts'

/** Fail points that a campaign passes; a process can be set to exit there. */
export const failPoints: readonly FailPoint[] = [
  'after-lease',
  'before-watermark',
  'after-watermark',
  'mid-wire',
  'after-wire',
  'before-record',
  'after-record',
  'partly-recorded',
  'all-handed-over',
  'before-done',
  'after-capture',
  'before-events',
  'after-events',
]

/** Fail points over WhatsApp in the sender (the last one during failover to SMS) and, for reports, in the web process. */
export const whatsappFailPoints: readonly { point: FailPoint; victim: 'web' | number }[] = [
  ...failPoints.slice(0, -2).map((point) => ({ point, victim: 0 })),
  { point: 'after-gather', victim: 0 },
  { point: 'before-events', victim: 'web' },
  { point: 'after-events', victim: 'web' },
]

/** Over RCS, messages that are not delivered in time are revoked as well. */
export const rcsFailPoints: readonly { point: FailPoint; victim: 'web' | number }[] = [
  ...whatsappFailPoints,
  { point: 'revoke-after-claim', victim: 0 },
  { point: 'revoke-after-wire', victim: 0 },
  { point: 'revoke-after-record', victim: 0 },
]

/** Fail points that calls of the public API and their webhooks pass. */
export const apiFailPoints: readonly { point: FailPoint; victim: 'web' | 'worker' | number }[] = [
  { point: 'accept-before-commit', victim: 'web' },
  { point: 'accept-after-commit', victim: 'web' },
  { point: 'priority-after-claim', victim: 0 },
  { point: 'priority-after-wire', victim: 0 },
  { point: 'before-events-are-done', victim: 'worker' },
  { point: 'webhook-after-wire', victim: 'worker' },
  { point: 'webhook-before-record', victim: 'worker' },
]

/** `ab-test`: over SMPP, with two variants. Recipients that are not reached fail over: over WhatsApp and RCS to SMS, over the last one to WhatsApp and then to SMS. */
export type Route = SmsRoute | 'ab-test' | 'whatsapp' | 'rcs' | 'rcs-whatsapp'

export type Storm = {
  route: Route
  phones: string[]
  ratePerSecond: number
  /** Range of the operators' response times; immediate if absent. */
  answerDelayMs?: [number, number]
  /** Recipients not reached within so many seconds fail over too; always over RCS. */
  afterSeconds?: number
  /** Faults applied one after the other while the campaign runs. */
  blows: ((world: World) => Promise<void>)[]
}

export type Aftermath = Verdict & {
  blows: number
  /** Maximum seconds from the end of a fault, with all processes restarted, to the next message on any phone. */
  longestRecovery: number
}

/** Runs one campaign through the faults, waits until everything is final, and compares the phones with the database. */
export async function weather(world: World, storm: Storm): Promise<Aftermath> {
  const { phones, blows } = storm
  const since = await lastArrival(world)
  await setAnswerDelay(world, storm.answerDelayMs ?? [0, 0])
  const campaign = { id: await start(world, storm), failsOver: failsOver(storm.route) }
  const choosing = storm.route === 'ab-test' ? chooseWinners(world, campaign.id) : undefined
  let struck = 0
  let longestRecovery = 0
  for (const blow of blows) {
    if (await isDone(world, campaign)) break
    await blow(world)
    struck += 1
    longestRecovery = Math.max(longestRecovery, await recovery(world, campaign))
  }
  await choosing
  // Without a time limit, messages with lost responses keep the campaign open for a day; by now all reports have arrived.
  const isOver = () => isDone(world, campaign)
  if (!campaign.failsOver || storm.afterSeconds !== undefined) await until(isOver, 300_000)
  await until(() => isReported(world, campaign), 60_000)
  const verdict = await judge(world, { campaignId: campaign.id, phones, since })
  const processes = new Set([world.web, world.worker, ...world.senders])
  verdict.complaints.push(...[...processes].flatMap((process) => process.unexpectedEnds()))
  return { ...verdict, blows: struck, longestRecovery }
}

async function setAnswerDelay(world: World, answerDelayMs: [number, number]): Promise<void> {
  await callSimulator(world, '/api/faults', { answerDelayMs })
}

async function start(world: World, { route, phones, ratePerSecond, afterSeconds }: Storm): Promise<string> {
  if (route === 'whatsapp') return startWhatsappCampaign(world, { phones, ratePerSecond, afterSeconds })
  if (failsOver(route)) {
    const overWhatsapp = route === 'rcs-whatsapp'
    return startRcsCampaign(world, { phones, ratePerSecond, afterSeconds: afterSeconds ?? 30, overWhatsapp })
  }
  const isTested = route === 'ab-test'
  const prepared = await prepare(world, isTested ? 'smpp' : route, ratePerSecond)
  return startCampaign(world, { ...prepared, phones, name: `Storm over ${route}`, isTested })
}

function failsOver(route: Route): route is Exclude<Route, SmsRoute | 'ab-test'> {
  return route !== 'smpp' && route !== 'http-gateway' && route !== 'ab-test'
}

/** A sender (by index), the web process or the worker, which exits at a fail point, at its n-th passage. */
export function killAt(point: FailPoint, nth: number, victim: 'web' | 'worker' | number = 0) {
  return killInTurn([point], nth, victim)
}

/** The same for several fail points in turn: each restart but the last exits at the next point. */
export function killInTurn(points: readonly FailPoint[], nth: number, victim: 'web' | 'worker' | number = 0) {
  return async (world: World) => {
    const process = typeof victim === 'string' ? world[victim] : world.senders[victim % world.senders.length]
    if (!process) return
    for (const point of points) {
      await process.kill()
      await world.freeLanes()
      await process.restart({ FAIL_POINTS: `${point}:kill:${nth}` })
      await Promise.race([process.ended(), pause(5000)])
    }
    await process.kill()
    await world.freeLanes()
    await process.restart()
  }
}

export type Victim = 'sender' | 'worker' | 'web'

/** The database is killed and restarted after a while. The processes are not restarted. */
export function killDatabase(afterMs: number, awayMs: number) {
  return async (world: World) => {
    await pause(afterMs)
    await world.postgres.kill()
    await pause(awayMs)
    await world.postgres.restart()
  }
}

/** Any process of the product, at any time. */
export function killAnytime(victim: Victim, afterMs: number, sender = 0) {
  return async (world: World) => {
    await pause(afterMs)
    const process = victim === 'sender' ? world.senders[sender % world.senders.length] : world[victim]
    await process?.kill()
    await process?.restart()
  }
}

/** Several at the same time. */
export function together(...blows: ((world: World) => Promise<void>)[]) {
  return async (world: World) => void (await Promise.all(blows.map((blow) => blow(world))))
}

async function received(world: World): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${world.simulatorPorts.http}/api/stats`)
  return ((await answer.json()) as { received: number }).received
}

type Running = { id: string; failsOver: boolean }

/** Seconds until phones receive messages again; returns immediately if there is none to send now. */
async function recovery(world: World, campaign: Running): Promise<number> {
  const before = { count: await received(world), at: Date.now() }
  await until(async () => (await received(world)) > before.count || isQueueEmpty(world, campaign), 60_000)
  return (Date.now() - before.at) / 1000
}

function read(world: World, { id }: Running): Promise<CampaignDetail> {
  return world.api.call<CampaignDetail>('campaigns.get', { path: { id } })
}

/** The campaign is over, or everything was handed over; messages after a failover may follow. */
async function isQueueEmpty(world: World, campaign: Running): Promise<boolean> {
  const { status, stats } = await read(world, campaign)
  return ['completed', 'cancelled', 'failed'].includes(status) || stats.queued === 0
}

/** The campaign is over, or no recipient is left. */
async function isDone(world: World, campaign: Running): Promise<boolean> {
  const { status, stats } = await read(world, campaign)
  if (['completed', 'cancelled', 'failed'].includes(status)) return true
  return campaign.failsOver && stats.queued === 0 && stats.sent === 0
}

/** All accepted messages have their final report, and all failovers have happened. */
async function isReported(world: World, campaign: Running): Promise<boolean> {
  const { stats, failover } = await read(world, campaign)
  return stats.sent === 0 && stats.queued === 0 && failover?.entered === failover?.sent
}

async function until(check: () => Promise<boolean>, withinMs: number) {
  const deadline = Date.now() + withinMs
  while (!(await check())) {
    if (Date.now() > deadline) return
    await pause(100)
  }
}
