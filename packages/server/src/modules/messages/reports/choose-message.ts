import type { IdReading } from '../../../channels/provider.ts'
import { isFinal } from './evidence.ts'
import { parseReference } from '../reference.ts'
import type { ReportedMessage } from './report-evidence.ts'
import type { Hit } from './reported-messages.queries.ts'

/** What is known when a report is matched. */
export type Circumstances = {
  /** How this provider's receipts write ids, once that is certain. */
  learned: IdReading | undefined
  /** Whether their times are certain. */
  isClockKnown: boolean
  now: number
  /** The message may not be recorded yet, so the report can wait for it. */
  mayWait: boolean
}

export type Choice =
  | {
      kind: 'found'
      hit: Hit
      /** Other messages have the id as well. */ isContested: boolean
      observation: Observation
    }
  | { kind: 'wait'; /** The id is known, under other numbers. */ isOtherNumber: boolean }

/** What the choice shows about the form of ids; undefined if every form is the same text. */
type Observation = { kind: 'none' } | { kind: 'reading' | 'conflict'; reading: IdReading }

/** A report and the message it concerns. */
export type Chosen = { hit: Hit; report: ReportedMessage }

/** If the message was sent longer ago, the report waits for a newer one with its id that may not be stored yet. */
export const recentMs = 10 * 60_000
/**
 * Maximum difference between the provider's time of submission and ours: minutes are truncated, our responses are stored late.
 */
export const earlierMs = 90_000
export const laterMs = 180_000

/**
 * The message that a report concerns: with its number, by the most specific form of its id, submitted at the reported time; of
 * several, the newest without a final status. Undecided reports wait, because a wrong status is worse than a late one.
 */
export function chooseMessage(report: ReportedMessage, hits: readonly Hit[], around: Circumstances): Choice {
  const possible = hits.filter((hit) => hit.isSameNumber !== false && isReferred(report, hit))
  const wait: Choice = { kind: 'wait', isOtherNumber: hits.length > 0 && possible.length === 0 }
  const reading = chooseReading(
    report,
    [...new Set(possible.map((hit) => hit.reading))].sort((one, other) => one - other),
    around,
  )
  if (reading === undefined) return wait
  const ofReading = possible.filter((hit) => hit.reading === reading).sort(newestFirst)
  const hit = chooseHit(report, ofReading, around)
  if (!hit) return wait
  const observation = observationOf(report, { reading, possible, learned: around.learned })
  return { kind: 'found', hit, isContested: ofReading.length > 1, observation }
}

/** A reference that the provider returns is exact. */
function isReferred({ reference }: ReportedMessage, { campaignId, leg, seq }: Hit): boolean {
  const key = reference === undefined ? undefined : parseReference(reference)
  return !key || (key.campaignId === campaignId && key.leg === leg && key.seq === seq)
}

function newestFirst(one: Hit, other: Hit): number {
  return (other.sentAt ?? 0) - (one.sentAt ?? 0)
}

function chooseReading(
  { candidates, match, numbers }: ReportedMessage,
  found: readonly number[],
  { learned, mayWait }: Circumstances,
): number | undefined {
  const [only, ...others] = found
  if (only === undefined || candidates.length === 1) return only
  const wanted = learned && match ? match.readings.indexOf(learned) : -1
  if (found.includes(wanted)) return wanted
  // The message of the learned form may not be stored yet; another form may be right; no number confirms it.
  const doubts = [wanted >= 0, others.length > 0, numbers.length === 0].filter(Boolean)
  return doubts.length === 0 || (doubts.length === 1 && !mayWait) ? only : undefined
}

function chooseHit(report: ReportedMessage, hits: readonly Hit[], around: Circumstances): Hit | undefined {
  const submittedAt = around.isClockKnown ? report.match?.submittedAt : undefined
  const fitting = submittedAt ? hits.filter((hit) => fits(hit, submittedAt.getTime())) : []
  const eligible = fitting.length > 0 ? fitting : hits
  const chosen = eligible.find((hit) => !isFinal(hit.status) || isRepeat(report, hit)) ?? eligible[0]
  if (!chosen || !around.mayWait) return chosen
  const isOfItsTime = submittedAt ? fitting.length > 0 : isFresh(chosen.sentAt, around.now)
  // An intermediate status can be applied twice without harm.
  return isOfItsTime && (!isFinal(chosen.status) || report.status === 'sent') ? chosen : undefined
}

/** Sent recently enough that its reports may still arrive. */
export function isFresh(sentAt: number | null, now: number): boolean {
  return sentAt === null || now - sentAt < recentMs
}

function fits({ sentAt }: Hit, submittedAt: number): boolean {
  return sentAt !== null && sentAt > submittedAt - earlierMs && sentAt < submittedAt + laterMs
}

/** The report that ended the message, repeated. */
function isRepeat({ status, deliveredAt, failedAt }: ReportedMessage, hit: Hit): boolean {
  const at = deliveredAt ?? failedAt
  if (status !== hit.status || !at || hit.endedAt === null) return false
  // A stored time is never before the sending.
  return Math.abs(Math.max(at.getTime(), hit.sentAt ?? 0) - hit.endedAt) < 1000
}

type Decision = { reading: number; possible: readonly Hit[]; learned: IdReading | undefined }

function observationOf({ candidates, match }: ReportedMessage, { reading, possible, learned }: Decision): Observation {
  const name = match?.readings[reading]
  const isCertain = candidates.length > 1 && possible.every((hit) => hit.reading === reading && hit.isSameNumber)
  if (!name || !isCertain) return { kind: 'none' }
  return { kind: learned === undefined || learned === name ? 'reading' : 'conflict', reading: name }
}
