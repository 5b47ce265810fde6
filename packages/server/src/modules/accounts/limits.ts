import { channelLimits } from '@carillon/contract/channels/table'
import { LimitKey } from '@carillon/contract/limits'
import type { AccountLimit } from '@carillon/contract/users'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'

type LimitEntry = {
  label: string
  unit: string
  /** The actions that enforce it. Usage is counted in `limit_used` (SQL). */
  enforcedAt: string
  /** The error text, with the limit formatted. */
  refusal(limit: string): string
}

type ChannelLimitKey = (typeof channelLimits)[number]['key']

function limitsOfChannels(): Record<ChannelLimitKey, LimitEntry> {
  const entries = channelLimits.map(({ key, noun }): [ChannelLimitKey, LimitEntry] => [
    key,
    {
      label: noun,
      unit: 'accounts',
      enforcedAt: 'senders: create',
      refusal: (limit) => `The limit of ${limit} ${noun} is reached`,
    },
  ])
  // One entry for each of the keys.
  return Object.fromEntries(entries) as Record<ChannelLimitKey, LimitEntry>
}

/** All limits. Every key must be enforced somewhere. */
export const limitRegistry: Record<LimitKey, LimitEntry> = {
  users: {
    label: 'Users',
    unit: 'accounts',
    enforcedAt: 'people: create, accept an invitation',
    refusal: (limit) => `The limit of ${limit} users is reached`,
  },
  sub_accounts: {
    label: 'Sub-accounts',
    unit: 'accounts',
    enforcedAt: 'people: create, accept an invitation or a registration',
    refusal: (limit) => `The limit of ${limit} sub-accounts is reached`,
  },
  ...limitsOfChannels(),
  templates: {
    label: 'Templates',
    unit: 'templates',
    enforcedAt: 'templates: create',
    refusal: (limit) => `The limit of ${limit} templates is reached`,
  },
  campaigns_running: {
    label: 'Active campaigns',
    unit: 'campaigns',
    enforcedAt: 'campaigns: start',
    refusal: (limit) => `The limit of ${limit} active campaigns is reached: wait until one has ended`,
  },
  recipients_per_campaign: {
    label: 'Recipients of a campaign',
    unit: 'recipients',
    enforcedAt: 'campaigns: validate and start',
    refusal: (limit) => `A campaign may have at most ${limit} recipients`,
  },
  messages_per_day: {
    label: 'Messages a day',
    unit: 'messages',
    enforcedAt: 'campaigns: start; messages: single send',
    refusal: (limit) => `The limit of ${limit} messages a day would be exceeded`,
  },
  messages_per_month: {
    label: 'Messages a month',
    unit: 'messages',
    enforcedAt: 'campaigns: start; messages: single send',
    refusal: (limit) => `The limit of ${limit} messages a month would be exceeded`,
  },
  spend_per_day: {
    label: 'Spending a day',
    unit: 'rupees',
    enforcedAt: 'campaigns: start; messages: single send',
    refusal: (limit) => `The limit of ₹${limit} a day would be exceeded`,
  },
  storage_mb: {
    label: 'Storage',
    unit: 'MB',
    enforcedAt: 'files: keep an upload',
    refusal: (limit) => `The limit of ${limit} MB of files is reached: delete some first`,
  },
}

/** The amount to add per key: a count, bytes of storage, or ledger units of spend. */
export type Addition = Partial<Record<LimitKey, number>>

/**
 * Throws if adding would exceed a limit of the account or of one above it. Locks the limits until the transaction ends, so
 * that of concurrent requests only those that fit pass: call in the same transaction, before adding.
 */
export async function assertWithinLimits(db: Db, path: string, adding: Addition): Promise<void> {
  const keys = LimitKey.options.filter((key) => adding[key] !== undefined)
  const { rows } = await sql<{ limit_key: LimitKey; allowed: number }>`
    select limit_key, allowed from first_limit_exceeded(${path}::ltree, ${keys}::text[], ${keys.map((key) => adding[key] ?? 0)}::bigint[])`.execute(
    db,
  )
  const [exceeded] = rows
  if (exceeded) throw limitExceeded({ key: exceeded.limit_key, allowed: exceeded.allowed })
}

/** A limit, and what may still be added to it. */
export type LimitRoom = {
  key: LimitKey
  /** Of the account with the limit. */
  path: string
  allowed: number
  /** A count, bytes of storage, or ledger units of spend. */
  room: number
}

/**
 * The limits of accounts and of those above them. Locks them like `assertWithinLimits`: the caller adds at most what there is
 * room for, in the same transaction.
 */
export async function lockLimits(db: Db, paths: readonly string[], keys: readonly LimitKey[]): Promise<LimitRoom[]> {
  const { rows } = await sql<LimitRoom>`
    select limit_key as key, account_path::text as path, allowed, room from limit_rooms(${paths}::ltree[], ${keys}::text[])`.execute(
    db,
  )
  return rows
}

export function limitExceeded({ key, allowed }: Pick<LimitRoom, 'key' | 'allowed'>): Problem {
  return new Problem('limit_exceeded', limitRegistry[key].refusal(grouped.format(allowed)), {
    details: [{ field: key, message: String(allowed) }],
  })
}

const grouped = new Intl.NumberFormat('en-IN')

/** The effective limits of an account in scope: the strictest of its own and those above. */
export async function listLimits(db: Db, accountId: string): Promise<AccountLimit[]> {
  const { rows } = await sql<{ key: LimitKey; own: number | null; above: number | null; used: number }>`
    select key, own, above, used from limits_of(${accountId}::uuid, ${LimitKey.options}::text[])`.execute(db)
  return rows.map(({ key, own, above, used }) => {
    const isOwn = own !== null && (above === null || own <= above)
    const { label, unit } = limitRegistry[key]
    return { key, label, unit, limit: isOwn ? own : above, maximum: above, used, isOwn }
  })
}
