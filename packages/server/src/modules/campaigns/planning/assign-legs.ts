import type { Db } from '../../../db/pool.ts'
import { createBitmap, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import { countriesOf } from '../../audience/index.ts'
import { createAppendLinks } from '../../links/index.ts'
import { countAudience, type AudienceCount } from '../checks/count-audience.ts'
import { findOptedOut } from '../checks/opted-out.ts'
import { findUnreachable, nothingKnown } from '../reach/unreachable.ts'
import { assignRecipients, type LegRecipients, type Obstacle, type Skipped } from './assign-recipients.ts'
import { createBeginnings, type BeginningAt } from './beginnings.ts'
import type { Choices, ChosenLeg } from './load-draft.ts'

/** A leg measured over every row, with the recipients that it cannot be sent to. */
export type CountedLeg = ChosenLeg & {
  count: AudienceCount
  optedOut: ReadonlySet<number>
  unreachable: Bitmap | undefined
  isReachKnown: boolean
}

export type AssignedLegs = {
  legs: [CountedLeg, ...CountedLeg[]]
  /** Of each leg. */
  recipients: LegRecipients[]
  /** Messages skipped at the start; `leg` is an index of `legs`. */
  skipped: Skipped[]
  beginningAt: BeginningAt
}

/** Counts the legs of a draft and assigns the recipients to them. */
export async function assignLegs(db: Db, choices: Choices): Promise<AssignedLegs> {
  const { audience, legs, groups } = choices
  const [first, ...others] = legs
  const counted: AssignedLegs['legs'] = [await countLeg(db, choices, first)]
  for (const leg of others) counted.push(await countLeg(db, choices, leg))
  const terms = counted.map((leg) => ({
    obstacles: obstaclesOf(leg, { isOnly: others.length === 0 }),
    enterReasons: leg.entrance?.reasons ?? [],
  }))
  const { legs: recipients, skipped } = assignRecipients(terms, audience.accepted, groups)
  const beginningAt = createBeginnings(
    counted.map(({ count, entrance }, index) => ({
      recipients: recipients[index] ?? { starters: undefined, followers: undefined },
      enterReasons: entrance?.reasons ?? [],
      parts: count.rows.parts,
    })),
    skipped,
  )
  return { legs: counted, recipients, skipped, beginningAt }
}

async function countLeg(db: Db, { audience }: Choices, leg: ChosenLeg): Promise<CountedLeg> {
  const { organization_id: organizationId, id: audienceId, reading } = audience
  const { channel, prepared, rules, loaded } = leg
  const { category, content, isMarketing, sources } = prepared
  const optedOut = await findOptedOut(db, { organizationId, audienceId, channel, isMarketing })
  const counted = {
    organizationId,
    audienceId,
    reading,
    ranges: countriesOf(audience),
    content,
    sources,
    optedOut,
    category,
  }
  const [measure, withLinks] = [rules.measureLeg(content), createAppendLinks(content)]
  const count = await countAudience(db, counted, (cells) => measure(withLinks(cells, 0)))
  const key = { organizationId, audienceId, senderId: loaded.sender.id }
  const reach = rules.checksReach ? await findUnreachable(db, key, audience) : nothingKnown
  return { ...leg, count, optedOut, ...reach }
}

/** Recipients without a value are skipped as the messages are sent if there is no other leg that they could get. */
function obstaclesOf({ count, optedOut, unreachable }: CountedLeg, { isOnly }: { isOnly: boolean }): Obstacle[] {
  const { parts } = count.rows
  const obstacles: Obstacle[] = []
  if (optedOut.size > 0) obstacles.push({ reason: 'opted_out', positions: bitmapOf(optedOut, parts.length) })
  if (unreachable) obstacles.push({ reason: 'number_unreachable', positions: unreachable })
  if (!isOnly && count.missing > 0) {
    const positions = createBitmap(parts.length)
    for (const [seq, count] of parts.entries()) if (count === 0) setBit(positions, seq)
    obstacles.push({ reason: 'missing_variable', positions })
  }
  return obstacles
}

function bitmapOf(seqs: Iterable<number>, length: number): Bitmap {
  const bitmap = createBitmap(length)
  for (const seq of seqs) setBit(bitmap, seq)
  return bitmap
}
