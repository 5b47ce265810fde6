import { apiRead } from '../../../lib/api-read.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import type { ChannelAccounts } from '../../channel-accounts.ts'

export const smsAccounts: ChannelAccounts = {
  call: 'smsAccounts.list',
  State: lazyPart(() => import('./sms-accounts-state.tsx').then(({ SmsAccountsState }) => SmsAccountsState)),
  setUp: 'SMS through your operator',
  isConnected: apiRead('smsAccounts.list', {}, (accounts) => accounts.some(({ isActive }) => isActive)),
}
