import type { IdReading } from '../../channels/provider.ts'
import { addVotes, learnedReading } from '../../channels/receipt-votes.ts'
import type { Lessons } from './receipt-profile.ts'
import type { ReportedMessage } from './report-evidence.ts'
import type { Hit } from './reported-messages.queries.ts'

/**
 * Without numbers a single report proves nothing, many together do: the reading by which nearly all of those have a message
 * that have one by a single reading. Adds the votes to the lessons once they are enough.
 */
export function learnFromSet(
  { reports, found }: { reports: readonly ReportedMessage[]; found: ReadonlyMap<number, readonly Hit[]> },
  lessons: Lessons,
): IdReading | undefined {
  const votes: Partial<Record<IdReading, number>> = {}
  for (const [index, { candidates, match, numbers }] of reports.entries()) {
    if (candidates.length === 1 || numbers.length > 0) continue
    const [reading, ...others] = new Set((found.get(index) ?? []).map((hit) => hit.reading))
    const name = reading === undefined || others.length > 0 ? undefined : match?.readings[reading]
    if (name) votes[name] = (votes[name] ?? 0) + 1
  }
  const learned = learnedReading(votes)
  if (learned) lessons.idVotes = addVotes(lessons.idVotes, votes)
  return learned
}
