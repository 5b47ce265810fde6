import type { AnswerFault, FaultPlan, ReportFault } from '../faults.ts'
import { seededRandom } from '../random.ts'
import { acceptedAnswers, pick } from '../results.ts'
import type { Agent } from './objects.ts'
import type { RbmStatus } from './rbm-error.ts'
import type { RbmSettings } from './settings.ts'

export type ReportKind = 'DELIVERED' | 'READ' | 'TTL_EXPIRATION_REVOKED'

/** An event about a message, relative to when the phone shows it. */
export type PlannedEvent = { kind: ReportKind; afterMs: number; isStranger?: boolean; isForged?: boolean }

/**
 * `held` as if the phone were off; `revoke-fails` and `revoke-ignored` are held until the agent revokes them, and then
 * delivered nevertheless, after a response of 404 or 200; `failed` never reaches the phone.
 */
export type RbmOutcome = 'delivered' | 'held' | 'revoke-fails' | 'revoke-ignored' | 'failed'

/** The outcome of a message, decided before the response. */
export type RbmResult = {
  answer: 'accept' | AnswerFault
  refusal: RbmStatus | undefined
  isAccepted: boolean
  outcome: RbmOutcome
  events: PlannedEvent[]
  eventsFirst: boolean
  reaction: 'tap' | 'unsubscribe' | undefined
}

export type Send = { to: string; attempt: number; readReceipts: boolean; platform: Agent['platform'] }

type Draft = {
  answer?: RbmResult['answer'] | undefined
  refusal?: RbmStatus
  outcome?: RbmOutcome
  reaction?: RbmResult['reaction']
  hasExpiryEvent?: boolean
}

const resultBySuffix: Record<string, (send: Send) => Draft> = {
  '0002': () => ({}),
  '0003': () => ({ hasExpiryEvent: true }),
  '0004': () => ({ reaction: 'tap' }),
  '0005': () => ({ reaction: 'unsubscribe' }),
  '0006': () => ({ outcome: 'revoke-fails' }),
  '0007': ({ platform }) => (platform === 'dotgo' ? { outcome: 'failed' } : {}),
  '0009': () => ({ outcome: 'revoke-ignored' }),
  '0429': ({ attempt }) => (attempt <= 2 ? { refusal: 'RESOURCE_EXHAUSTED' } : {}),
  '0503': ({ attempt }) => (attempt <= 1 ? { refusal: 'UNAVAILABLE' } : {}),
}

const outcomes = { undelivered: 'held', expired: 'held', rejected: 'failed' } as const

export function decideRbmResult(plan: FaultPlan, settings: RbmSettings, send: Send): RbmResult {
  const random = seededRandom(plan.seed, `rcs ${send.to}/${send.attempt}`)
  const suffix = send.to.slice(-4)
  const forced = plan.answerBySuffix[suffix]
  const magic = plan.magicNumbers ? resultBySuffix[suffix]?.(send) : undefined
  const draft: Draft = magic ?? { answer: forced ?? pick(plan.answers, random), outcome: drawOutcome(plan, random) }
  const { answer = 'accept', refusal, outcome = 'delivered', reaction } = draft
  const result: RbmResult = {
    answer,
    refusal,
    isAccepted: refusal === undefined && acceptedAnswers.has(answer),
    outcome,
    events: planEvents({ plan, settings, random }, send, draft),
    eventsFirst: false,
    reaction,
  }
  return magic || forced ? result : addReportFaults(plan, random, result)
}

function drawOutcome(plan: FaultPlan, random: () => number): RbmOutcome {
  const fault = pick(plan.outcomes, random)
  return fault ? outcomes[fault] : 'delivered'
}

type Chance = { plan: FaultPlan; settings: RbmSettings; random: () => number }

function planEvents({ plan, settings, random }: Chance, send: Send, { hasExpiryEvent }: Draft): PlannedEvent[] {
  const [least, most] = settings.gapMs
  const gap = () => least + random() * (most - least)
  const [minimum, maximum] = plan.receiptDelayMs
  const delay = minimum + random() * (maximum - minimum)
  const delivered: PlannedEvent = { kind: 'DELIVERED', afterMs: delay + gap() }
  const events = [delivered]
  if (hasExpiryEvent) events.push({ kind: 'TTL_EXPIRATION_REVOKED', afterMs: delivered.afterMs + gap() })
  if (send.readReceipts && random() < settings.readShare)
    events.push({ kind: 'READ', afterMs: delivered.afterMs + gap() + delay * random() })
  return events
}

/** Faults of the events. What the phone shows is already decided. */
function addReportFaults(plan: FaultPlan, random: () => number, result: RbmResult): RbmResult {
  const occurs = (fault: ReportFault) => {
    const probability = plan.reports[fault]
    return probability !== undefined && random() < probability
  }
  const [first] = result.events
  if (!first) return result
  const lateMs = occurs('late') ? plan.lateMs : 0
  const isShuffled = occurs('shuffled')
  const events = result.events
    .filter(() => !occurs('lost'))
    .flatMap((event) =>
      occurs('duplicate') ? [event, { ...event, afterMs: event.afterMs + random() * 100 }] : [event],
    )
    .map((event) => ({ ...event, afterMs: event.afterMs + lateMs + (isShuffled ? random() * 1000 : 0) }))
  if (occurs('contradictory')) events.push({ kind: 'TTL_EXPIRATION_REVOKED', afterMs: first.afterMs + 40 })
  if (occurs('stranger')) events.push({ ...first, isStranger: true })
  if (occurs('forged')) events.push({ kind: 'TTL_EXPIRATION_REVOKED', afterMs: first.afterMs, isForged: true })
  return { ...result, events, eventsFirst: occurs('early') }
}
