import { truncate } from '@carillon/contract/text'
import { newId } from '../../../lib/ids.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

/** A provider event that could not be applied. */
export type Poison = { kind: string; raw: string | Buffer; error: unknown }

/**
 * Applies a batch; if its content makes it fail, each half separately, down to the single events that fail alone: these are
 * passed to `setAside`, the others are applied in order. Other failures, such as a lost connection, are thrown, and the
 * provider repeats the events.
 */
export async function applyInParts<Event, Result>(
  events: readonly Event[],
  work: {
    apply(part: readonly Event[]): Promise<Result>
    setAside(event: Event, error: unknown): Promise<void>
  },
): Promise<Result[]> {
  try {
    return [await work.apply(events)]
  } catch (error) {
    if (!isOfTheEvents(error)) throw error
    const [first] = events
    if (first === undefined) throw error
    if (events.length === 1) {
      await work.setAside(first, error)
      return []
    }
    const half = Math.ceil(events.length / 2)
    const before = await applyInParts(events.slice(0, half), work)
    return [...before, ...(await applyInParts(events.slice(half), work))]
  }
}

/** SQLSTATE classes of bad values: cardinality, data, constraints, exceeded limits, exceptions that our functions raise. */
const classesOfValues = new Set(['21', '22', '23', '54', 'P0'])

/** Whether an error is caused by the values, and would occur again, and not by the database or the network. */
function isOfTheEvents(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true
  // SQLSTATEs have five characters; error codes of sockets are words.
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' && code.length === 5 && classesOfValues.has(code.slice(0, 2))
}

const insert: Statement = {
  name: 'insert-poison-event',
  text: `insert into poison_events (organization_id, id, sender_id, kind, raw, error) values ($1, $2, $3, $4, $5, $6)`,
}

const longestRaw = 1_048_576
const longestError = 1_000

/** Stores the raw event for analysis. */
export async function setAsidePoison(
  db: Queryable,
  { organizationId, senderId }: { organizationId: string; senderId: string | undefined },
  { kind, raw, error }: Poison,
): Promise<void> {
  const octets = typeof raw === 'string' ? Buffer.from(truncate(raw, longestRaw)) : raw
  const words = (error instanceof Error ? error.message : String(error)).replaceAll('\u0000', '')
  await run(db, insert, [
    organizationId,
    newId(),
    senderId ?? null,
    kind,
    octets.subarray(0, longestRaw),
    truncate(words, longestError),
  ])
}
