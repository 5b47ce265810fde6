import type { MessageStatus } from '@carillon/contract/campaign-records'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'
import type { ChangedMessages } from './moved-by-place.ts'

/** A changed message that has failed was accepted before; a message that is rejected on submission is inserted as failed. */
const count: Statement = {
  name: 'count-failovers',
  text: `select count_failovers($1, $2::uuid, $3::smallint, $4::int[], $5::message_status[],
    array(select status in ('sent', 'failed', 'delivered', 'read') from unnest($5::message_status[]) with ordinality as input (status, place)
      order by place))`,
}

/** Counts the failovers of changed messages by their new status, in campaigns with several legs. */
export async function countFailovers(
  db: Queryable,
  organizationId: string,
  { changes, origins }: { changes: readonly ChangedMessages[]; origins: ReadonlyMap<string, { lastLeg: number }> },
): Promise<void> {
  const several = changes.filter(({ seqs, campaignId }) => seqs && (origins.get(campaignId)?.lastLeg ?? 0) > 0)
  for (const ofLeg of Map.groupBy(several, ({ campaignId, leg }) => `${campaignId}.${leg}`).values()) {
    // A message may change more than once in a batch; its last status counts.
    const latest = new Map<number, MessageStatus>()
    for (const { seqs, status } of ofLeg) for (const seq of seqs ?? []) latest.set(seq, status)
    const [first] = ofLeg
    if (!first) continue
    const { campaignId, leg } = first
    await run(db, count, [
      organizationId,
      campaignId,
      leg,
      numberArray([...latest.keys()]),
      textArray([...latest.values()]),
    ])
  }
}
