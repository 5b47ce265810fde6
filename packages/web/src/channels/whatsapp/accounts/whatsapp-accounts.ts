import { apiRead } from '../../../lib/api-read.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import type { ChannelAccounts } from '../../channel-accounts.ts'

export const whatsappAccounts: ChannelAccounts = {
  State: lazyPart(() =>
    import('./whatsapp-accounts-state.tsx').then(({ WhatsappAccountsState }) => WhatsappAccountsState),
  ),
  setUp: 'WhatsApp with your business number',
  isConnected: apiRead('wabas.list', {}, (connections) =>
    connections.some(({ numbers }) => numbers.some(({ isActive }) => isActive)),
  ),
}
