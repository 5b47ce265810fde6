import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import { getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'

/** A sender with its account at the provider and the state that its lane last wrote. */
export type SenderRow = {
  id: string
  organization_id: string
  provider_account_id: string
  channel: Channel
  name: string
  headers: string[]
  entity_id: string | null
  rate_per_second: number
  is_active: boolean
  created_at: Date
  provider: string
  config: Record<string, unknown>
  secrets: Buffer | null
  secret_names: string[]
  callback_key: string
  state: Record<string, unknown> | null
  lane_is_live: boolean
  queued: number
  receipts: ReceiptRow | null
}

/** What was learned from delivery receipts. */
export type ReceiptRow = {
  id_votes: Record<string, number>
  clock_votes: Record<string, number>
  id_receipts: number
  id_conflicts: number
  other_numbers: number
  clock_receipts: number
}

export async function listSenders(
  db: Db,
  { scope, channel, id }: { scope: Scope; channel: Channel; id?: string },
): Promise<SenderRow[]> {
  const { rows } = await sql<SenderRow>`
    select sender.id, sender.organization_id, sender.provider_account_id, sender.channel, sender.name, sender.headers,
      sender.entity_id, sender.rate_per_second, sender.is_active, sender.created_at,
      account.provider, account.config, account.secrets, account.secret_names, account.callback_key,
      to_jsonb(profile) as receipts, lane.state, coalesce(lane.lease_until > now(), false) as lane_is_live,
      (select coalesce(sum(chunk_rest(chunk)), 0) from chunks chunk
        where chunk.organization_id = sender.organization_id and chunk.sender_id = sender.id and chunk.done_at is null)::float8
      + (select count(*) from retries where retries.organization_id = sender.organization_id and retries.sender_id = sender.id)
      + (select count(*) from priority_messages priority where priority.organization_id = sender.organization_id and priority.sender_id = sender.id) as queued
    from senders sender
    join provider_accounts account on account.organization_id = sender.organization_id and account.id = sender.provider_account_id
    left join receipt_profiles profile on profile.organization_id = sender.organization_id and profile.sender_id = sender.id
    left join lanes lane on lane.organization_id = sender.organization_id and lane.sender_id = sender.id
    where ${ofOrganization(scope, 'sender.organization_id')} and sender.channel = ${channel} and sender.deleted_at is null
      and (${id ?? null}::uuid is null or sender.id = ${id ?? null}::uuid)
    order by sender.created_at`.execute(db)
  return rows
}

export async function getSender(
  db: Db,
  { scope, channel, id }: { scope: Scope; channel: Channel; id: string },
): Promise<SenderRow> {
  const [row] = await listSenders(db, { scope, channel, id })
  if (!row) throw notFound(getChannel(channel).accounts.name)
  return row
}
