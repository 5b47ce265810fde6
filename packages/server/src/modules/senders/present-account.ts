import { type SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { LaneState } from '@carillon/contract/senders'
import { findProvider } from '../../channels/index.ts'
import { presentReceipts } from './present-receipts.ts'
import type { SenderRow } from './senders.queries.ts'

const silent: LaneState = { status: 'off', binds: [], allowedPerSecond: 0, sentPerSecond: 0, queued: 0 }

/** An account as the screen gets it: never a secret, only which of them are stored. */
export function presentAccount(row: SenderRow, callbackUrl: (key: string) => string): SmsAccount {
  const provider = findProvider(row.provider)
  return {
    _id: row.id,
    name: row.name,
    isActive: row.is_active,
    provider: row.provider,
    providerLabel: provider?.label ?? row.provider,
    headers: row.headers,
    ...(row.entity_id === null ? {} : { entityId: row.entity_id }),
    ratePerSecond: row.rate_per_second,
    config: row.config,
    secretsSet: row.secret_names,
    ...(provider?.webhook ? { callbackUrl: callbackUrl(row.callback_key) } : {}),
    state: presentState(row),
    ...(row.receipts ? { receipts: presentReceipts(row.receipts, row.config['timezoneOffset']) } : {}),
    createdAt: row.created_at.toISOString(),
  }
}

/** Why the account's address is never connected to, in words; undefined when it may be. */
export function findForbidden(row: SenderRow): string | undefined {
  const { status, lastError } = presentState(row)
  return status === 'connecting' && lastError?.code === 'EGRESS_REFUSED' ? lastError.message : undefined
}

/** What the lane wrote last, as long as somebody owns it: a process that died cannot say so. */
function presentState(row: SenderRow): LaneState {
  const queued = Number(row.queued)
  if (!row.is_active) return { ...silent, queued }
  const written = LaneState.safeParse(row.state)
  if (!written.success) return { ...silent, status: 'connecting', queued }
  if (!row.lane_is_live)
    return {
      ...silent,
      status: 'connecting',
      queued,
      ...(written.data.lastError ? { lastError: written.data.lastError } : {}),
    }
  return { ...written.data, queued }
}
