import { loadCode } from '../../../lib/load-code.ts'
import type { ChannelCampaigns } from '../../channel-campaigns.ts'
import { lazyPhone } from '../../parts/lazy-phone.tsx'

export const whatsappCampaigns: ChannelCampaigns = {
  tab: 3,
  loadEditor: async () => (await loadCode(() => import('./whatsapp-leg-editor.ts'))).whatsappLegEditor,
  Phone: lazyPhone(() => import('./whatsapp-sent-phone.tsx').then((code) => code.WhatsappSentPhone)),
}
