import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { presentReceipts, presentState, type SenderRow } from '../../../modules/senders/index.ts'
import { findProvider } from '../../index.ts'

/** An account without its secrets; `secretsSet` lists those that are stored. */
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
