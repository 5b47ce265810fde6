import type { Chosen } from './choose-message.ts'
import { statusOfParts } from './evidence.ts'
import type { ReportedMessage } from './report-evidence.ts'
import type { ChangedMessages } from './moved-by-place.ts'
import { readPartStatuses, updateMessagesByKey, updateParts, type SenderKey, type Target } from './reports.queries.ts'
import { updateKnownParts } from './known-messages.queries.ts'
import type { Queryable } from '../statements.ts'

type Reports = Map<number, ReportedMessage>

/** Senders that are known to send long messages: for others, parts are searched only if a search has found some. */
export const sendersOfParts = new Set<string>()

/** Reports on parts that were found by their id. */
export async function applyToParts(
  db: Queryable,
  key: SenderKey,
  { day, chosen }: { day: string; chosen: readonly Chosen[] },
): Promise<ChangedMessages[]> {
  await updateKnownParts(db, key, { day, chosen })
  const parts = chosen.map(({ hit }, number) => ({ ...hit, number }))
  return moveWholes(db, key.organizationId, {
    parts,
    said: new Map(chosen.map(({ report }, number) => [number, report])),
  })
}

export async function applyParts(
  db: Queryable,
  key: SenderKey,
  { day, remaining }: { day: string; remaining: Reports },
): Promise<ChangedMessages[]> {
  const parts = await updateParts(db, key, { day, reports: remaining })
  if (parts.length === 0) return []
  sendersOfParts.add(key.senderId)
  const said = new Map(remaining)
  for (const { number } of parts) remaining.delete(number)
  return moveWholes(db, key.organizationId, { parts, said })
}

const keyOf = ({ campaignId, leg, seq }: Target) => `${campaignId}.${leg}.${seq}`

/** A long message moves with its parts: delivered when all are, failed when one is. */
async function moveWholes(
  db: Queryable,
  organizationId: string,
  { parts, said }: { parts: (Target & { number: number })[]; said: Reports },
): Promise<ChangedMessages[]> {
  const reportsByMessage = new Map<string, ReportedMessage[]>()
  for (const part of parts) {
    const report = said.get(part.number)
    if (report) reportsByMessage.set(keyOf(part), [...(reportsByMessage.get(keyOf(part)) ?? []), report])
  }
  const targets = new Map<number, { target: Target; report: ReportedMessage }>()
  for (const { statuses, ...target } of await readPartStatuses(db, organizationId, parts)) {
    const status = statusOfParts(statuses)
    const reports = reportsByMessage.get(keyOf(target)) ?? []
    const report = reports.find((candidate) => candidate.status === status) ?? reports[0]
    if (report && (status === 'failed' || status === 'delivered' || status === 'read')) {
      targets.set(targets.size, { target, report: ofWhole(report, status) })
    }
  }
  return targets.size === 0 ? [] : updateMessagesByKey(db, organizationId, targets)
}

/** A part's report as a report on the whole message. */
function ofWhole(report: ReportedMessage, status: 'failed' | 'delivered' | 'read'): ReportedMessage {
  const isFailed = status === 'failed'
  return {
    ...report,
    status,
    deliveredAt: isFailed ? undefined : (report.deliveredAt ?? report.readAt),
    readAt: status === 'read' ? report.readAt : undefined,
    failedAt: isFailed ? report.failedAt : undefined,
  }
}
