import type { LaneKey } from './chunks.queries.ts'
import type { Target } from '../reports/reports.queries.ts'
import { keyArrays } from '../reports/reports.queries.ts'
import { numberArray, run, sparseText, textArray, type Queryable, type Statement } from '../statements.ts'

export type DueRevocation = Target & {
  attempt: number
  /** An earlier request may have been carried out. */
  isAsked: boolean
  /** The provider accepted the message. */
  isAccepted: boolean
  /** Undefined if the message was delivered or has failed meanwhile. */
  message: { phone: number; providerMessageId: string } | undefined
}

type DueRow = Omit<DueRevocation, 'message'> & { isOpen: boolean; phone: number; providerMessageId: string }

/**
 * Claims due revocations, like retries, and reads once more how their messages stand. A paused campaign's are claimed as well:
 * their time had passed before the pause.
 */
const claim: Statement = {
  name: 'claim-revocations',
  text: `
  with due as materialized (
    select campaign_id, leg, seq from revocations
    where organization_id = $1 and sender_id = $2 and outcome is null and submitting_epoch is null and due_at <= now()
      and exists (select from lanes where organization_id = $1 and sender_id = $2 and epoch = $3 and lease_until > now())
    order by due_at limit $4
    for update skip locked
  )
  update revocations set submitting_epoch = $3
  from due
  join campaigns campaign on campaign.organization_id = $1 and campaign.id = due.campaign_id
  left join messages message on message.organization_id = $1 and message.created_on = campaign.created_on
    and message.campaign_id = due.campaign_id and message.seq = due.seq and message.leg = due.leg
  where revocations.organization_id = $1 and revocations.campaign_id = due.campaign_id
    and revocations.leg = due.leg and revocations.seq = due.seq
  returning due.campaign_id as "campaignId", due.leg, due.seq, revocations.attempt, revocations.asked as "isAsked",
    coalesce(message.status = 'sent', false) as "isAccepted",
    coalesce(message.status in ('unknown', 'unconfirmed', 'sent') and message.provider_message_id is not null, false) as "isOpen",
    message.phone, message.provider_message_id as "providerMessageId"`,
}

export async function claimRevocations(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  limit: number,
): Promise<DueRevocation[]> {
  const rows = await run<DueRow>(db, claim, [organizationId, senderId, epoch, limit])
  return rows.map(({ isOpen, phone, providerMessageId, ...due }) => ({
    ...due,
    message: isOpen ? { phone, providerMessageId } : undefined,
  }))
}

/** What follows from the provider's response. */
export type Answer =
  /** The message fails after the grace period, unless it was delivered by then. */
  | { kind: 'given_up'; code: string; detail: string }
  /** It was delivered: only the report is missing. */
  | { kind: 'kept' }
  | { kind: 'again'; afterMs: number }

export type Answered = { due: DueRevocation; answer: Answer }

const record: Statement = {
  name: 'record-revocations',
  text: `
  update revocations revocation set submitting_epoch = null, outcome = answer.outcome, code = answer.code, detail = answer.detail,
    attempt = revocation.attempt + 1, asked = true,
    due_at = now() + coalesce(make_interval(secs => answer.after_ms / 1000::float8),
      (select make_interval(secs => revoke_grace_seconds) from campaign_legs
       where organization_id = $1 and campaign_id = answer.campaign_id and campaign_legs.leg = answer.leg), interval '0')
  from unnest($3::uuid[], $4::smallint[], $5::int[], $6::text[], $7::int[], $8::text[], $9::text[])
    as answer (campaign_id, leg, seq, outcome, after_ms, code, detail)
  where revocation.organization_id = $1 and revocation.campaign_id = answer.campaign_id and revocation.leg = answer.leg
    and revocation.seq = answer.seq and revocation.submitting_epoch = $2 and revocation.outcome is null`,
}

/** Only of revocations that this ownership of the lane still claims. */
export async function recordRevocations(
  db: Queryable,
  { organizationId, epoch }: LaneKey,
  answered: readonly Answered[],
): Promise<void> {
  if (answered.length === 0) return
  const answers = answered.map(({ answer }) => answer)
  const failures = answers.map((answer) => (answer.kind === 'given_up' ? answer : undefined))
  await run(db, record, [
    organizationId,
    epoch,
    ...keyArrays(answered.map(({ due }) => due)),
    textArray(answers.map(({ kind }) => (kind === 'again' ? null : kind))),
    numberArray(answers.map((answer) => (answer.kind === 'again' ? Math.round(answer.afterMs) : null))),
    sparseText(failures.map((failure) => failure?.code)),
    sparseText(failures.map((failure) => failure?.detail)),
  ])
}

const end: Statement = {
  name: 'end-revocations',
  text: `
  delete from revocations
  using unnest($2::uuid[], $3::smallint[], $4::int[]) as ended (campaign_id, leg, seq)
  where revocations.organization_id = $1 and revocations.campaign_id = ended.campaign_id and revocations.leg = ended.leg
    and revocations.seq = ended.seq and ($5::bigint is null or revocations.submitting_epoch = $5)`,
}

/** Nothing more is to be done for these messages. `epoch`: of the lane that claimed them. */
export async function endRevocations(
  db: Queryable,
  { organizationId, epoch }: { organizationId: string; epoch?: number },
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return
  await run(db, end, [organizationId, ...keyArrays(targets), epoch ?? null])
}

/** As in `watch-leg`: the first later leg with a time limit, which here waits for the message to be read. */
const enterUnread: Statement = {
  name: 'enter-unread',
  text: `
  select enter_next_leg($1, $2::uuid, $3::smallint, array_agg(seq), array_agg('not_delivered_in_time'::text), array_agg(status),
    array_agg(status in ('sent', 'delivered')))
  from (
    select message.seq, message.status from campaigns campaign
    join messages message on message.organization_id = $1 and message.created_on = campaign.created_on and message.campaign_id = $2
      and message.leg = $3 and message.seq = any($4::int[])
    cross join lateral (
      select enter_unless from campaign_legs later
      where later.organization_id = $1 and later.campaign_id = $2 and later.leg > $3 and enter_after_seconds is not null
        and (later.lo is null or (message.seq >= later.lo and message.seq < later.hi))
      order by later.leg limit 1
    ) timed
    where campaign.organization_id = $1 and campaign.id = $2 and timed.enter_unless = 'read'
      and message.status in ('unknown', 'unconfirmed', 'sent', 'delivered')
    order by message.seq
    for no key update of message
  ) unread
  having count(*) > 0`,
}

/**
 * Messages that were delivered, so that they cannot be revoked any more: where the next leg is for recipients who have not read
 * them in time, they enter it.
 */
export async function enterUnreadLegs(
  db: Queryable,
  organizationId: string,
  targets: readonly Target[],
): Promise<void> {
  for (const ofLeg of Map.groupBy(targets, ({ campaignId, leg }) => `${campaignId}.${leg}`).values()) {
    const [first] = ofLeg
    if (!first) continue
    const seqs = numberArray(ofLeg.map(({ seq }) => seq))
    await run(db, enterUnread, [organizationId, first.campaignId, first.leg, seqs])
  }
}

const requeue: Statement = {
  name: 'requeue-lost-revocations',
  text: `update revocations set submitting_epoch = null, asked = true, due_at = now()
  where organization_id = $1 and sender_id = $2 and outcome is null and submitting_epoch < $3`,
}

/** Those that a previous owner claimed and recorded no response for: the provider is asked again. */
export async function requeueLostRevocations(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
): Promise<void> {
  await run(db, requeue, [organizationId, senderId, epoch])
}
