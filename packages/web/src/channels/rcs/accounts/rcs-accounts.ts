import { apiRead } from '../../../lib/api-read.ts'
import { countOf } from '../../../lib/format.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import { settingsLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import type { ChannelAccounts } from '../../channel-accounts.ts'

export const rcsAccounts: ChannelAccounts = {
  call: 'bots.own',
  State: lazyPart(() => import('./rcs-accounts-state.tsx').then(({ RcsAccountsState }) => RcsAccountsState)),
  setUp: 'RCS with a bot of your brand',
  isConnected: apiRead('bots.own', {}, (bots) =>
    bots.some(({ isActive, launches }) => isActive && launches.some(({ state }) => state === 'launched')),
  ),
  tasks: apiRead('bots.all', { query: { limit: 1 } }, ({ requested, awaitingLaunch }) => [
    ...taskOf(requested, (count) => `${count} RCS bot ${count === 1 ? 'request' : 'requests'} to answer`),
    ...taskOf(awaitingLaunch, (count) => `${countOf(count, 'RCS bot')} awaiting launch`),
  ]),
}

function taskOf(count: number, title: (count: number) => string) {
  return count === 0
    ? []
    : [{ title: title(count), to: 'settings', search: writeView(settingsLink, { tab: 'channels' }) }]
}
