import type { IdReading } from '../../../channels/provider.ts'
import { learnedReading, type Votes } from '../../../channels/receipt-votes.ts'
import { isFinal } from './evidence.ts'
import type { ReportedMessage } from './report-evidence.ts'
import type { Hit } from './reported-messages.queries.ts'

type ReportSet = {
  reports: readonly ReportedMessage[]
  found: ReadonlyMap<number, readonly Hit[]>
  /** Whether the message of a report may not be stored yet. */
  mayWait(index: number): boolean
}

/** While messages may be missing, a form must find one for nearly every report. */
const nearlyAll = 0.95
/** Once they are stored, other forms still find messages for reports whose own message never got a response. */
const waitedShare = 0.8

/** What a set of reports shows, and how many of them show it. */
export type LearnedFromSet = { reading: IdReading; votes: number }

/**
 * A report without a number does not show how its provider writes ids; many together do. A form gets a vote from each report
 * whose id has messages by this form only. Undefined until there are enough votes.
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

/** The votes for each form, and the number of reports for which it finds a message. */
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
