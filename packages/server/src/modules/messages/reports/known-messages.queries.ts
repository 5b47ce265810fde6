import type { Chosen } from './choose-message.ts'
import { joinEach, moveOfDay, runMove, type ChangedMessages } from './moved-by-place.ts'
import { keyArrays, reportArrays, reportRows, type SenderKey, type Target } from './reports.queries.ts'
import type { ReportedMessage } from './report-evidence.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'

const update = moveOfDay('apply-reports-to-known', {
  rows: reportRows(4, { campaign_id: 'uuid', leg: 'smallint', seq: 'int' }),
  join: joinEach('campaign_id = report.campaign_id and seq = report.seq and leg = report.leg'),
})

type KnownReport = { hit: Target; report: ReportedMessage }

/** Applies reports that were matched with messages of one day. */
export async function updateKnownMessages(
  db: Queryable,
  key: SenderKey,
  question: { day: string; chosen: readonly KnownReport[] },
): Promise<ChangedMessages[]> {
  const { day, chosen } = question
  if (chosen.length === 0) return []
  const rows = chosen.map(({ hit, report }, number) => ({ ...hit, number, report }))
  const values = [...reportArrays(rows), ...keyArrays(rows)]
  const { changes, overtaken } = await runMove(db, update, { day, key, values })
  if (overtaken.size === 0) return changes
  // The next statement sees what the other batch wrote.
  const again = chosen.filter((_, number) => overtaken.has(number))
  return [...changes, ...(await updateKnownMessages(db, key, { day, chosen: again }))]
}

const updateParts: Statement = {
  name: 'apply-reports-to-known-parts',
  text: `
  update message_parts as part set status = greatest(part.status, report.status)
  from unnest($4::text[], $5::uuid[], $6::smallint[], $7::int[], $8::smallint[], $9::message_status[])
    as report (id, campaign_id, leg, seq, part, status)
  where part.organization_id = $1 and part.sender_id = $2 and part.created_on = $3 and part.provider_message_id = report.id
    and part.campaign_id = report.campaign_id and part.leg = report.leg and part.seq = report.seq and part.part = report.part
    and report.status > part.status`,
}

export async function updateKnownParts(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { day, chosen }: { day: string; chosen: readonly Chosen[] },
): Promise<void> {
  await run(db, updateParts, [
    organizationId,
    senderId,
    day,
    textArray(chosen.map(({ hit }) => hit.id)),
    ...keyArrays(chosen.map(({ hit }) => hit)),
    numberArray(chosen.map(({ hit }) => hit.part)),
    textArray(chosen.map(({ report }) => report.status)),
  ])
}
