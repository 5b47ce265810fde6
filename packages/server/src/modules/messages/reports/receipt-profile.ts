import type { IdReading } from '../../../channels/provider.ts'
import { sumOf, type Votes } from '../../../channels/receipt-votes.ts'
import type { ReportedMessage } from './report-evidence.ts'
import type { SenderKey } from './reports.queries.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

/** What a sender's receipts have shown about how the provider writes ids and times. */
export type ReceiptProfile = {
  idVotes: Votes<IdReading>
  /** By minutes ahead of the time zone setting. */
  clockVotes: Votes<string>
}

/** Additions to a profile. */
export type Observations = ReceiptProfile & { idConflicts: number; otherNumbers: number }

/** Most receipts show nothing new: after this many votes only a change is stored. */
const settledVotes = 200

/** Time zones differ by quarters of an hour: the quarter next to how far ahead the receipts' times are. */
export function clockVotesOf(reports: readonly ReportedMessage[], now: number): Votes<string> {
  const votes: Record<string, number> = {}
  for (const { match, deliveredAt, failedAt } of reports) {
    const at = deliveredAt ?? failedAt
    if (!match?.isLocalTime || !at) continue
    // Times without seconds are truncated to the minute, so half a minute is added.
    const minutes = Math.round((at.getTime() + 30_000 - now) / 900_000) * 15
    votes[minutes] = (votes[minutes] ?? 0) + 1
  }
  return votes
}

/** A limit instead of `exists`, which the planner would turn into a join with all messages of the sender. */
const read: Statement = {
  name: 'read-receipt-profile',
  text: `
  select coalesce(profile.id_votes, '{}') as "idVotes", coalesce(profile.clock_votes, '{}') as "clockVotes",
    exists (select from message_parts where organization_id = $1 and sender_id = $2) as "hasParts",
    array(
      select day from (
        select current_date - days as day from generate_series(-1, 7) days
        union
        select campaigns.created_on from campaigns
        join campaign_legs leg on leg.organization_id = $1 and leg.campaign_id = campaigns.id and leg.sender_id = $2
        where campaigns.organization_id = $1 and campaigns.started_at is not null
          and coalesce(campaigns.completed_at, 'infinity') > now() - interval '7 days'
      ) recent
      where (
        select true from messages
        where organization_id = $1 and sender_id = $2 and created_on = recent.day and provider_message_id is not null
        limit 1
      ) or (
        select true from message_parts where organization_id = $1 and sender_id = $2 and created_on = recent.day limit 1
      )
    )::text[] as days,
    array(
      select sibling.id from senders self
      join provider_accounts own on own.organization_id = $1 and own.id = self.provider_account_id
      join provider_accounts same on same.organization_id = $1 and same.provider = own.provider and same.receipt_identity = own.receipt_identity
      join senders sibling on sibling.organization_id = $1 and sibling.provider_account_id = same.id
      where self.organization_id = $1 and self.id = $2 and sibling.id <> $2
      order by sibling.id
    )::text[] as siblings
  from (select) once left join receipt_profiles profile on profile.organization_id = $1 and profile.sender_id = $2`,
}

/** A sender's profile, and the days of messages that may still get reports. */
export type SenderReceipts = ReceiptProfile & {
  hasParts: boolean
  days: string[]
  /** Other senders of the organisation with the same provider login, whose reports may concern any of them. */
  siblings: string[]
}

/** Read at most once a second: batches of a busy sender are more frequent than changes. */
const recent = new Map<string, { receipts: SenderReceipts; until: number }>()
const recentMs = 1000
const mostRecent = 1000

export async function readReceiptProfile(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
): Promise<SenderReceipts> {
  const known = recent.get(senderId)
  if (known && known.until > performance.now()) return known.receipts
  const [row] = await run<SenderReceipts>(db, read, [organizationId, senderId])
  const receipts = row ?? { idVotes: {}, clockVotes: {}, hasParts: false, days: [], siblings: [] }
  if (recent.size >= mostRecent) recent.clear()
  recent.set(senderId, { receipts, until: performance.now() + recentMs })
  return receipts
}

/** The most frequent day of a sender's certain reports: nearly always that of its one campaign. */
const lastDays = new Map<string, string>()

export function rememberDay({ senderId }: SenderKey, day: string): void {
  if (lastDays.size >= mostRecent) lastDays.clear()
  lastDays.set(senderId, day)
}

export function forgetDay({ senderId }: SenderKey): void {
  lastDays.delete(senderId)
}

export function lastDayOf({ senderId }: SenderKey): string | undefined {
  return lastDays.get(senderId)
}

const save: Statement = {
  name: 'save-receipt-profile',
  text: `
  insert into receipt_profiles as profile (organization_id, sender_id, id_votes, clock_votes, id_receipts, id_conflicts, other_numbers, clock_receipts)
  select organization_id, id, $3::jsonb, $4::jsonb, $5, $6, $7, $8 from senders where organization_id = $1 and id = $2
  on conflict (organization_id, sender_id) do update set
    id_votes = add_votes(profile.id_votes, excluded.id_votes), clock_votes = add_votes(profile.clock_votes, excluded.clock_votes),
    id_receipts = profile.id_receipts + excluded.id_receipts, id_conflicts = profile.id_conflicts + excluded.id_conflicts,
    other_numbers = profile.other_numbers + excluded.other_numbers,
    clock_receipts = profile.clock_receipts + excluded.clock_receipts, updated_at = now()`,
}

/** Stores new observations; last in its transaction, because all batches of a sender write the same row. */
export async function saveObservations(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { profile, observations }: { profile: ReceiptProfile; observations: Observations },
): Promise<void> {
  const idVotes = newVotes(profile.idVotes, observations.idVotes)
  const clockVotes = newVotes(profile.clockVotes, observations.clockVotes)
  const { idConflicts, otherNumbers } = observations
  if (sumOf(idVotes) + sumOf(clockVotes) + idConflicts + otherNumbers === 0) return
  recent.delete(senderId)
  await run(db, save, [
    organizationId,
    senderId,
    JSON.stringify(idVotes),
    JSON.stringify(clockVotes),
    sumOf(idVotes),
    idConflicts,
    otherNumbers,
    sumOf(clockVotes),
  ])
}

/** Undefined if many votes have shown the same before. */
function newVotes<Key extends string>(known: Votes<Key>, votes: Votes<Key>): Votes<Key> {
  const [key, ...others] = Object.keys(votes)
  const isKnown =
    key !== undefined && others.length === 0 && (new Map(Object.entries(known)).get(key) ?? 0) === sumOf(known)
  return isKnown && sumOf(known) >= settledVotes ? {} : votes
}
