import { applyToParts } from './apply-parts.ts'
import { chooseMessage, isFresh, type Choice, type Chosen } from './choose-message.ts'
import { addVotes, learnedClock, learnedReading, type Votes } from '../../../channels/receipt-votes.ts'
import type { IdReading } from '../../../channels/provider.ts'
import {
  clockVotesOf,
  readReceiptProfile,
  rememberDay,
  saveObservations,
  type Observations,
  type SenderReceipts,
} from './receipt-profile.ts'
import { learnFromSet, type LearnedFromSet } from './learn-from-set.ts'
import { joinReported, shiftReported, type ReportedMessage } from './report-evidence.ts'
import { findReported, type Hit } from './reported-messages.queries.ts'
import { updateKnownMessages } from './known-messages.queries.ts'
import type { ChangedMessages } from './moved-by-place.ts'
import type { SenderKey } from './reports.queries.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

type Question = {
  reports: readonly ReportedMessage[]
  /** They arrived just now, so their times show the clock's offset. */
  isNew: boolean
  /** Whether a report may wait for a message that is not stored yet. */
  mayWait(index: number): boolean
  /** Whether it has waited long enough for its message to be stored. */
  isOver(index: number): boolean
}

export type CountedResult = {
  changes: ChangedMessages[]
  /** Indexes of reports without a message. */ waiting: number[]
  /** Reports that contradict how the provider was learned to write ids. */ conflicting: number
  /** Reports that were given up: only messages to other numbers have their id. */ unmatched: number
}

/**
 * Applies reports with reusable ids, each to the one message it concerns, and learns from certain ones how the provider writes
 * ids and times.
 */
export async function applyCounted(db: Queryable, key: SenderKey, question: Question): Promise<CountedResult> {
  const receipts = await readReceiptProfile(db, key)
  const clockVotes = question.isNew ? clockVotesOf(question.reports, Date.now()) : {}
  const observations: Observations = { idVotes: {}, clockVotes, idConflicts: 0, otherNumbers: 0 }
  const clock = learnedClock(addVotes(receipts.clockVotes, clockVotes))
  const reports = question.reports.map((report) => onOurClock(report, clock))
  const choices = await chooseAll(db, key, {
    ...question,
    reports,
    receipts,
    observations,
    isClockKnown: clock !== undefined,
  })

  const usualDay = dayWithoutDoubt(choices, key)
  if (usualDay !== undefined) rememberDay(key, usualDay)
  const changes = await applyChoices(db, key, { reports, choices })
  await saveObservations(db, key, { profile: receipts, observations })
  const waits = (choice: Choice, index: number) =>
    choice.kind === 'wait' && !(choice.isOtherNumber && question.isOver(index))
  return {
    changes,
    waiting: choices.flatMap((choice, index) => (waits(choice, index) ? [index] : [])),
    conflicting: observations.idConflicts,
    unmatched: observations.otherNumbers,
  }
}

/** The most frequent day of certain choices. */
function dayWithoutDoubt(choices: readonly Choice[], { senderId: ownId }: SenderKey): string | undefined {
  const now = Date.now()
  const counts = new Map<string, number>()
  for (const choice of choices) {
    if (choice.kind === 'wait' || choice.isContested) continue
    const { day, part, isSameNumber, sentAt, senderId } = choice.hit
    if (senderId === ownId && part === null && isSameNumber && isFresh(sentAt, now))
      counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return [...counts].find(([, count]) => count > choices.length / 2)?.[0]
}

/** Its times by our clock. */
export function onOurClock(report: ReportedMessage, minutesAhead: number | undefined): ReportedMessage {
  if (!report.match?.isLocalTime || !minutesAhead) return report
  const byMs = -minutesAhead * 60_000
  const { submittedAt, ...match } = report.match
  const moved = submittedAt ? { ...match, submittedAt: new Date(submittedAt.getTime() + byMs) } : match
  return { ...shiftReported(report, byMs), match: moved }
}

type Choosing = Question & { receipts: SenderReceipts; observations: Observations; isClockKnown: boolean }

const lock: Statement = {
  name: 'lock-reports-of-sender',
  text: `select pg_advisory_xact_lock(hashtextextended('reports ' || $1, 0))`,
}

/**
 * If several messages have an id, two processes must not apply two reports to the same one: they choose one after the other.
 */
async function chooseAll(db: Queryable, key: SenderKey, choosing: Choosing): Promise<Choice[]> {
  const find = () => findOfAll(db, key, choosing)
  const hits = await find()
  const chosen = choose(choosing, hits)
  if (!chosen.choices.some((choice) => choice.kind === 'found' && choice.isContested)) return learn(chosen, choosing)
  await run(db, lock, [[key.senderId, ...choosing.receipts.siblings].sort()[0]])
  return learn(choose(choosing, await find()), choosing)
}

/** All messages that the reports may concern, by index of the report: those of the sender, and of senders that share its reports. */
async function findOfAll(db: Queryable, key: SenderKey, choosing: Choosing): Promise<Map<number, Hit[]>> {
  const { reports, receipts } = choosing
  const isAsked = askedReadings(choosing)
  const hits = await findReported(db, key, { reports, receipts, isAsked })
  for (const senderId of receipts.siblings) {
    const sibling = { ...key, senderId }
    const ofSibling = await readReceiptProfile(db, sibling)
    if (ofSibling.days.length > 0)
      hits.push(...(await findReported(db, sibling, { reports, receipts: ofSibling, isAsked })))
  }
  return Map.groupBy(hits, ({ number }) => number)
}

/** While a report may wait for the message of the learned form, other forms are not considered. */
function askedReadings({ reports, receipts, mayWait }: Choosing): (number: number, reading: number) => boolean {
  const learned = learnedReading(receipts.idVotes)
  return (number, reading) => {
    const readings = reports[number]?.match?.readings ?? []
    return !learned || !mayWait(number) || !readings.includes(learned) || readings[reading] === learned
  }
}

type ChosenSet = { choices: Choice[]; fromSet: LearnedFromSet | undefined }

function choose({ reports, receipts, isClockKnown, mayWait }: Choosing, found: Map<number, Hit[]>): ChosenSet {
  const known = learnedReading(receipts.idVotes)
  const fromSet = known ? undefined : learnFromSet({ reports, found, mayWait })
  const learned = known ?? fromSet?.reading
  const now = Date.now()
  const ended = new Map<string, Pick<Hit, 'status' | 'endedAt'>>()
  const choices = reports.map((report, index) => {
    const hits = (found.get(index) ?? []).map((hit) => (ended.has(hit.key) ? { ...hit, ...ended.get(hit.key) } : hit))
    const choice = chooseMessage(report, hits, { learned, isClockKnown, now, mayWait: mayWait(index) })
    const endedAt = (report.deliveredAt ?? report.failedAt)?.getTime()
    // The next report with this id in the batch concerns another message, or repeats this one.
    if (choice.kind === 'found' && endedAt !== undefined) ended.set(choice.hit.key, { status: report.status, endedAt })
    return choice
  })
  return { choices, fromSet }
}

function learn({ choices, fromSet }: ChosenSet, { observations, isOver }: Choosing): Choice[] {
  const votes: Votes<IdReading> = fromSet ? { [fromSet.reading]: fromSet.votes } : {}
  for (const [index, choice] of choices.entries()) {
    if (choice.kind === 'wait') observations.otherNumbers += choice.isOtherNumber && isOver(index) ? 1 : 0
    else if (choice.observation.kind !== 'none') {
      const { reading, kind } = choice.observation
      votes[reading] = (votes[reading] ?? 0) + 1
      observations.idConflicts += kind === 'conflict' ? 1 : 0
    }
  }
  observations.idVotes = addVotes(observations.idVotes, votes)
  return choices
}

async function applyChoices(
  db: Queryable,
  key: SenderKey,
  { reports, choices }: { reports: readonly ReportedMessage[]; choices: readonly Choice[] },
): Promise<ChangedMessages[]> {
  const byMessage = new Map<string, Chosen>()
  for (const [index, choice] of choices.entries()) {
    const report = reports[index]
    if (choice.kind === 'wait' || !report) continue
    const known = byMessage.get(choice.hit.key)
    const timed = report.match?.isLocalTime ? withinLife(report, choice.hit) : report
    byMessage.set(choice.hit.key, { hit: choice.hit, report: known ? joinReported(known.report, timed) : timed })
  }
  const changes: ChangedMessages[] = []
  const byOwner = Map.groupBy(inOrder(byMessage), ({ hit }) => `${hit.day} ${hit.senderId}`)
  for (const chosen of byOwner.values()) {
    const owner = chosen[0]?.hit
    if (owner)
      changes.push(...(await applyToOwner(db, { ...key, senderId: owner.senderId }, { day: owner.day, chosen })))
  }
  return changes
}

/** To messages of one sender and day. */
async function applyToOwner(
  db: Queryable,
  owner: SenderKey,
  { day, chosen }: { day: string; chosen: readonly Chosen[] },
): Promise<ChangedMessages[]> {
  const whole = chosen.filter(({ hit }) => hit.part === null)
  const parts = chosen.filter(({ hit }) => hit.part !== null)
  const changes: ChangedMessages[] = []
  if (whole.length > 0) changes.push(...(await updateKnownMessages(db, owner, { day, chosen: whole })))
  if (parts.length > 0) changes.push(...(await applyToParts(db, owner, { day, chosen: parts })))
  return changes
}

/** A clock slightly off reports a time before the sending, or in the future. */
function withinLife(report: ReportedMessage, { sentAt }: Hit): ReportedMessage {
  const earliest = Math.ceil(sentAt ?? 0)
  const latest = Date.now()
  const within = (at: Date | undefined) => {
    const instant = at && Math.max(Math.min(latest, at.getTime()), earliest)
    return instant === undefined || instant === at?.getTime() ? at : new Date(instant)
  }
  return { ...report, deliveredAt: within(report.deliveredAt), failedAt: within(report.failedAt) }
}

/** Always in the same order, so that two batches with common messages do not deadlock. */
function inOrder(byMessage: ReadonlyMap<string, Chosen>): Chosen[] {
  return [...byMessage].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, chosen]) => chosen)
}
