import type { AnswerFault, FaultPlan, OutcomeFault, ReportFault } from '../faults.ts'
import { pick, acceptedAnswers } from '../results.ts'
import { seededRandom } from '../random.ts'
import type { GraphSettings } from './settings.ts'

export type StatusReport = {
  status: 'sent' | 'delivered' | 'read' | 'failed'
  code?: number
  afterMs: number
  stranger?: boolean
  forged?: boolean
}

/** The outcome of a message, decided before the response. */
export type GraphResult = {
  answer: 'accept' | AnswerFault
  /** Rejected with this Meta error code. */
  refusal: number | undefined
  isAccepted: boolean
  isReceived: boolean
  reports: StatusReport[]
  reportsFirst: boolean
  /** The person stopped marketing messages and Meta reports it. */
  stopsMarketing: boolean
}

export type Send = {
  to: string
  attempt: number
  /** Prevents delivery regardless of the fault plan: closed window, no such user, marketing stopped. */
  failure: number | undefined
  /** The person blocked the business: sent but never delivered. */
  isBlocked: boolean
  readReceipts: boolean
}

type Draft = {
  answer?: GraphResult['answer'] | undefined
  refusal?: number
  stopsMarketing?: boolean
  outcome: 'read' | 'sent' | 'nothing' | number
}

const resultBySuffix: Record<string, Draft> = {
  '0026': { outcome: 131026 },
  '0047': { outcome: 131047 },
  '0049': { outcome: 131049 },
  '0050': { outcome: 131050, stopsMarketing: true },
  '0056': { outcome: 'nothing', refusal: 131056 },
  '0429': { outcome: 'nothing', refusal: 130429 },
  '0368': { outcome: 'nothing', refusal: 368 },
  '5500': { outcome: 'nothing', refusal: 131000 },
  '0000': { outcome: 'nothing' },
  '0099': { outcome: 'sent' },
}

/** An expired message is dropped without a report, as Meta may do. */
const outcomes: Record<OutcomeFault, Draft['outcome']> = { undelivered: 131026, expired: 'sent', rejected: 131049 }

export function decideGraphResult(plan: FaultPlan, settings: GraphSettings, send: Send): GraphResult {
  const random = seededRandom(plan.seed, `${send.to}/${send.attempt}`)
  const suffix = send.to.slice(-4)
  const forced = plan.answerBySuffix[suffix]
  const magic = plan.magicNumbers ? resultBySuffix[suffix] : undefined
  const {
    answer = 'accept',
    refusal,
    outcome: drawn,
    stopsMarketing = false,
  } = magic ?? {
    answer: forced ?? pick(plan.answers, random),
    outcome: drawOutcome(plan, random),
  }
  const isAccepted = refusal === undefined && acceptedAnswers.has(answer)
  const outcome = outcomeOf(send, drawn)
  const result: GraphResult = {
    answer,
    refusal,
    isAccepted,
    isReceived: isAccepted && outcome === 'read',
    reports: isAccepted ? timeReports({ plan, settings, random }, send, outcome) : [],
    reportsFirst: false,
    stopsMarketing,
  }
  return magic || forced ? result : addReportFaults(plan, random, result)
}

/** Precedence: failure by number, failure of the person, blocked. */
function outcomeOf({ failure, isBlocked }: Send, drawn: Draft['outcome']): Draft['outcome'] {
  if (typeof drawn === 'number') return drawn
  return failure ?? (isBlocked ? 'sent' : drawn)
}

function drawOutcome(plan: FaultPlan, random: () => number): Draft['outcome'] {
  const fault = pick(plan.outcomes, random)
  return fault ? outcomes[fault] : 'read'
}

type Chance = { plan: FaultPlan; settings: GraphSettings; random: () => number }

function timeReports({ plan, settings, random }: Chance, send: Send, outcome: Draft['outcome']): StatusReport[] {
  const [least, most] = settings.gapMs
  const gap = () => least + random() * (most - least)
  const [minimum, maximum] = plan.receiptDelayMs
  const delay = minimum + random() * (maximum - minimum)
  if (outcome === 'nothing') return []
  if (typeof outcome === 'number') return [{ status: 'failed', code: outcome, afterMs: delay + gap() }]
  const sent: StatusReport = { status: 'sent', afterMs: 0 }
  if (outcome === 'sent') return [sent]
  const delivered: StatusReport = { status: 'delivered', afterMs: delay + gap() }
  if (!send.readReceipts || random() >= settings.readShare) return [sent, delivered]
  return [sent, delivered, { status: 'read', afterMs: delivered.afterMs + gap() + delay * random() }]
}

/** Faults of the reports. The content of the phone is already decided. */
function addReportFaults(plan: FaultPlan, random: () => number, result: GraphResult): GraphResult {
  const occurs = (fault: ReportFault) => {
    const probability = plan.reports[fault]
    return probability !== undefined && random() < probability
  }
  const [first] = result.reports
  if (!first) return result
  const last = result.reports.at(-1) ?? first
  const lateMs = occurs('late') ? plan.lateMs : 0
  const isShuffled = occurs('shuffled')
  const reports = result.reports
    .filter(() => !occurs('lost'))
    .flatMap((report) =>
      occurs('duplicate') ? [report, { ...report, afterMs: report.afterMs + random() * 100 }] : [report],
    )
    .map((report) => ({ ...report, afterMs: report.afterMs + lateMs + (isShuffled ? random() * 1000 : 0) }))
  if (occurs('contradictory'))
    reports.push({
      ...(last.status === 'failed' ? { status: 'delivered' } : { status: 'failed', code: 131026 }),
      afterMs: last.afterMs + 40,
    })
  if (occurs('stranger')) reports.push({ ...last, stranger: true })
  if (occurs('forged')) reports.push({ status: 'failed', code: 131026, afterMs: last.afterMs, forged: true })
  return { ...result, reports, reportsFirst: occurs('early') }
}
