import type { IdReading } from './provider.ts'

/** Number of receipts for each observation. */
export type Votes<Key extends string> = Partial<Record<Key, number>>

const enoughIds = 20
const enoughClocks = 10
const enoughToDoubt = 30

/** The value that nearly all votes agree on. */
function winner<Key extends string>(votes: Votes<Key>, { atLeast, share }: { atLeast: number; share: number }) {
  const entries = Object.entries<number | undefined>(votes).map(([key, count = 0]) => ({ key, count }))
  const most = entries.toSorted((one, other) => other.count - one.count)[0]
  // The keys of the votes are the keys of the type.
  return most && most.count >= atLeast && most.count >= share * sumOf(votes) ? (most.key as Key) : undefined
}

/** How receipts write ids, compared with responses to submits; undefined until this share of the votes agrees. */
export function learnedReading(votes: Votes<IdReading>, share = 0.95): IdReading | undefined {
  return winner(votes, { atLeast: enoughIds, share })
}

/** Minutes by which the receipts' clock is ahead of the time zone setting; undefined until it is certain. */
export function learnedClock(votes: Votes<string>): number | undefined {
  const minutes = winner(votes, { atLeast: enoughClocks, share: 0.8 })
  return minutes === undefined ? undefined : Number(minutes)
}

/** There are enough receipts to determine the clock, but they disagree. */
export function isClockInconsistent(votes: Votes<string>): boolean {
  return sumOf(votes) >= enoughToDoubt && learnedClock(votes) === undefined
}

export function addVotes<Key extends string>(one: Votes<Key>, other: Votes<Key>): Votes<Key> {
  const sum = new Map(Object.entries<number | undefined>(one))
  for (const [key, count] of Object.entries<number | undefined>(other)) sum.set(key, (sum.get(key) ?? 0) + (count ?? 0))
  // Both have only keys of this type.
  return Object.fromEntries(sum) as Votes<Key>
}

export function sumOf(votes: Votes<string>): number {
  return Object.values(votes).reduce<number>((sum, count) => sum + (count ?? 0), 0)
}
