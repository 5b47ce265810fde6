import { call } from '../../../lib/call.ts'
import { loadCode } from '../../../lib/load-code.ts'
import type { ChannelCampaigns } from '../../channel-campaigns.ts'
import { lazyPhone } from '../../parts/lazy-phone.tsx'

export const smsCampaigns: ChannelCampaigns = {
  tab: 1,
  loadEditor: async () => (await loadCode(() => import('./sms-leg-editor.ts'))).smsLegEditor,
  async listTemplates(signal) {
    const { templates } = await call('smsTemplates.list', { query: { limit: 100 } }, { signal })
    return templates.map(({ _id, name }) => ({ value: _id, label: name }))
  },
  Phone: lazyPhone(() => import('./sms-sent-phone.tsx').then((code) => code.SmsSentPhone)),
}
