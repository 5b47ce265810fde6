import { apiRead } from '../../../lib/api-read.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import type { ChannelAccounts } from '../../channel-accounts.ts'

export const rcsAccounts: ChannelAccounts = {
  call: 'bots.own',
  State: lazyPart(() => import('./rcs-accounts-state.tsx').then(({ RcsAccountsState }) => RcsAccountsState)),
  setUp: 'RCS with a bot of your brand',
  isConnected: apiRead('bots.own', {}, (bots) =>
    bots.some(({ isActive, launches }) => isActive && launches.some(({ state }) => state === 'launched')),
  ),
}
