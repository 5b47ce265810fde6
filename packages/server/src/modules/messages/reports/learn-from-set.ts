import type { IdReading } from '../../../channels/provider.ts'
import { learnedReading, type Votes } from '../../../channels/receipt-votes.ts'
import { isFinal } from './evidence.ts'
import type { ReportedMessage } from './report-evidence.ts'
import type { Hit } from './reported-messages.queries.ts'

type ReportSet = {
  reports: readonly ReportedMessage[]
  found: ReadonlyMap<number, readonly Hit[]>
  /** Whether the message of a report may not be written yet. */
  mayWait(index: number): boolean
}

/** While messages may be missing, a reading must find one for nearly every report. */
const nearlyAll = 0.95
/** Once they are written, other readings still find messages for the reports whose own message never got its answer. */
const waitedShare = 0.8

/** What a set of reports teaches, and how many of them say so. */
export type LearnedFromSet = { reading: IdReading; votes: number }

/**
 * A report without a number says nothing about how its provider writes ids; many together do. A reading gets a vote from each
 * report whose id has messages by this reading alone. Undefined until the votes are enough.
 *
 * The answer to a submit may be written after its report came. Until then its id may mean an older message by another reading:
 * the reports of 256 to 265, read as decimal, would be about 100 to 109. A fresh set therefore teaches only a reading that finds
 * a message for nearly all of its reports, and a message that has ended gives no vote.
 */
export function learnFromSet(set: ReportSet): LearnedFromSet | undefined {
  const unnumbered = set.reports.flatMap(({ candidates, numbers }, index) =>
    candidates.length > 1 && numbers.length === 0 ? [index] : [],
  )
  const { votes, covered } = count(set, unnumbered)
  const fresh = learnedReading(votes)
  if (fresh && (covered[fresh] ?? 0) >= nearlyAll * unnumbered.length)
    return { reading: fresh, votes: votes[fresh] ?? 0 }

  const { votes: waitedVotes } = count(
    set,
    unnumbered.filter((index) => !set.mayWait(index)),
  )
  const waited = learnedReading(waitedVotes, waitedShare)
  return waited && { reading: waited, votes: waitedVotes[waited] ?? 0 }
}

/** The votes for each reading, and the reports for which it finds a message. */
function count({ reports, found }: ReportSet, indexes: readonly number[]) {
  const votes: Votes<IdReading> = {}
  const covered: Votes<IdReading> = {}
  for (const index of indexes) {
    const hits = found.get(index) ?? []
    const readings = [...new Set(hits.map(({ reading }) => reports[index]?.match?.readings[reading]))]
    for (const reading of readings) if (reading) covered[reading] = (covered[reading] ?? 0) + 1
    const [only, ...others] = readings
    if (!only || others.length > 0 || hits.every(({ status }) => isFinal(status))) continue
    votes[only] = (votes[only] ?? 0) + 1
  }
  return { votes, covered }
}
