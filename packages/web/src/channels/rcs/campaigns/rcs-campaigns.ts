import { call } from '../../../lib/call.ts'
import { loadCode } from '../../../lib/load-code.ts'
import type { ChannelCampaigns } from '../../channel-campaigns.ts'
import { lazyPhone } from '../../parts/lazy-phone.tsx'

export const rcsCampaigns: ChannelCampaigns = {
  tab: 4,
  loadEditor: async () => (await loadCode(() => import('./rcs-leg-editor.ts'))).rcsLegEditor,
  async listTemplates(signal) {
    const { templates } = await call('rcsTemplates.list', { query: { limit: 100 } }, { signal })
    return templates.map(({ _id, name }) => ({ value: _id, label: name }))
  },
  Phone: lazyPhone(() => import('./rcs-sent-phone.tsx').then((code) => code.RcsSentPhone)),
}
