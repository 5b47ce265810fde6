import type { AnswerFault, FaultPlan, OutcomeFault, ReportFault } from './faults.ts'
import { seededRandom } from './random.ts'

export type Stat = 'ENROUTE' | 'DELIVRD' | 'EXPIRED' | 'DELETED' | 'UNDELIV' | 'ACCEPTD' | 'UNKNOWN' | 'REJECTD'

export type Report = { stat: Stat; error: string; afterMs: number; stranger?: boolean; forged?: boolean }

/** The outcome of a submit, decided before the response. */
export type Result = {
  answer: 'accept' | AnswerFault
  /** The operator accepted it, whatever the client receives. */
  isAccepted: boolean
  /** The phone displays it. */
  isReceived: boolean
  reports: Report[]
  /** Reports are sent before the response. */
  reportsFirst: boolean
}

export type Submit = { to: string; /** Counts from 1 for each number. */ attempt: number }

/** Outcomes in which the operator has the message, whatever the client receives. */
export const acceptedAnswers: ReadonlySet<string> = new Set([
  'accept',
  'silence',
  'drop',
  'answer-then-drop',
  'garbage',
  'error-after',
  'half-open',
])

export function decideResult(plan: FaultPlan, submit: Submit): Result {
  const random = seededRandom(plan.seed, `${submit.to}/${submit.attempt}`)
  const suffix = submit.to.slice(-4)
  const forced = plan.answerBySuffix[suffix]
  if (forced) return finish(plan, random, { answer: forced, reports: [delivered] })
  const magic = plan.magicNumbers ? resultBySuffix[suffix] : undefined
  if (magic) return finish(plan, random, magic(submit.attempt, plan))

  const answer = pick(plan.answers, random) ?? 'accept'
  const outcome = pick(plan.outcomes, random)
  return finish(
    plan,
    random,
    addReportFaults(plan, random, { answer, reports: [outcome ? outcomeReports[outcome] : delivered] }),
  )
}

type Draft = { answer: Result['answer']; reports: Report[]; reportsFirst?: boolean; isReceived?: boolean }

const delivered: Report = { stat: 'DELIVRD', error: '000', afterMs: 0 }
const outcomeReports: Record<OutcomeFault, Report> = {
  undelivered: { stat: 'UNDELIV', error: '001', afterMs: 0 },
  expired: { stat: 'EXPIRED', error: '003', afterMs: 0 },
  rejected: { stat: 'REJECTD', error: '004', afterMs: 0 },
}

export function rejectedByDlt(error: string): Report {
  return { stat: 'REJECTD', error, afterMs: 0 }
}

function refusedFirst(times: number, fault: AnswerFault) {
  return (attempt: number): Draft => ({ answer: attempt <= times ? fault : 'accept', reports: [delivered] })
}

function accepted(...reports: Report[]) {
  return (): Draft => ({ answer: 'accept', reports })
}

/** Delay between the first and a second report, so that their order is fixed. */
const secondMs = 40

const resultBySuffix: Record<string, (attempt: number, plan: FaultPlan) => Draft> = {
  '0001': accepted(delivered),
  '0002': accepted(outcomeReports.undelivered),
  '0003': accepted(outcomeReports.expired),
  '0004': accepted(outcomeReports.rejected),
  '0005': () => ({ answer: 'accept', reports: [], isReceived: true }),
  '0006': accepted({ stat: 'ACCEPTD', error: '000', afterMs: 0 }, { ...delivered, afterMs: secondMs }),
  '0007': () => ({ answer: 'silence', reports: [delivered] }),
  '0008': refusedFirst(1, 'system-error'),
  '0009': () => ({ answer: 'drop', reports: [delivered] }),
  '0010': accepted(delivered, { ...delivered, afterMs: secondMs }),
  '0011': () => ({ answer: 'invalid-number', reports: [] }),
  '0012': () => ({ answer: 'accept', reports: [delivered], reportsFirst: true }),
  '0013': accepted(delivered, { stat: 'ENROUTE', error: '000', afterMs: secondMs }),
  '0014': refusedFirst(1, 'queue-full'),
  '0016': (_attempt, plan) => ({ answer: 'accept', reports: [{ ...delivered, afterMs: plan.lateMs }] }),
  '0058': refusedFirst(3, 'throttled'),
  '0633': accepted(rejectedByDlt('633')),
  '0650': accepted(rejectedByDlt('650')),
}

function finish(plan: FaultPlan, random: () => number, draft: Draft): Result {
  const isAccepted = acceptedAnswers.has(draft.answer)
  if (!isAccepted) return { answer: draft.answer, isAccepted, isReceived: false, reports: [], reportsFirst: false }

  const [minimum, maximum] = plan.receiptDelayMs
  const delayMs = minimum + random() * (maximum - minimum)
  return {
    answer: draft.answer,
    isAccepted,
    isReceived: draft.isReceived ?? draft.reports.some(({ stat }) => stat === 'DELIVRD'),
    reports:
      delayMs === 0 ? draft.reports : draft.reports.map((report) => ({ ...report, afterMs: report.afterMs + delayMs })),
    reportsFirst: draft.reportsFirst ?? false,
  }
}

function addReportFaults(plan: FaultPlan, random: () => number, draft: Draft): Draft {
  const occurs = (fault: ReportFault) => {
    const probability = plan.reports[fault]
    return probability !== undefined && random() < probability
  }
  const [report] = draft.reports
  if (!report) return draft

  // The true report determines what the phone shows, before report faults apply.
  const isReceived = report.stat === 'DELIVRD'
  const reports = occurs('lost') ? [] : [report]
  if (reports[0] && occurs('duplicate'))
    for (let extra = 1 + Math.floor(random() * 4); extra > 0; extra -= 1) reports.push(report)
  if (occurs('contradictory')) reports.push(isReceived ? outcomeReports.undelivered : delivered)
  if (occurs('stranger')) reports.push({ ...delivered, stranger: true })
  if (occurs('forged')) reports.push({ ...outcomeReports.rejected, forged: true })
  const lateMs = occurs('late') ? plan.lateMs : 0
  const isShuffled = occurs('shuffled')
  return {
    ...draft,
    isReceived,
    reports: reports.map((each) => ({ ...each, afterMs: each.afterMs + lateMs + (isShuffled ? random() * 1000 : 0) })),
    reportsFirst: occurs('early'),
  }
}

/** Selects at most one fault by its share of a single random draw. */
export function pick<Fault extends string>(
  chances: Partial<Record<Fault, number>>,
  random: () => number,
): Fault | undefined {
  let rest: number | undefined
  for (const fault in chances) {
    rest ??= random()
    rest -= chances[fault] ?? 0
    if (rest < 0) return fault
  }
  return undefined
}
