import type { Campaign } from '@carillon/contract/campaign-records'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { sourceOf, type Source } from '../../../ui/data-screen/columns.ts'
import { queryOf, smsQueryOf, type CampaignsView } from './campaigns-view.ts'

export type CampaignList = {
  source: Source<Campaign>
  totalPages: number | undefined
  total: number | undefined
  /** What each tab would show under the same filters; undefined while it is not known. */
  counts: Partial<Record<CampaignsView['t'], number | undefined>>
}

/** Whether the list covers all channels; roles without access to WhatsApp see SMS campaigns only. */
export function seesEveryChannel(): boolean {
  return mayCall('waCampaigns.list')
}

/** SMS has a list of its own that knows templates; every other tab is of all channels. */
export function useCampaignList(view: CampaignsView): CampaignList {
  const isOfSms = view.t === 'sms' || !seesEveryChannel()
  const ofSms = useApi(
    'smsCampaigns.list',
    { query: smsQueryOf(view) },
    { enabled: isOfSms, keepPrevious: true, refetchInterval: 15_000 },
  )
  const ofAll = useApi(
    'campaigns.list',
    { query: queryOf(view) },
    { enabled: !isOfSms, keepPrevious: true, refetchInterval: 15_000 },
  )
  const shown = isOfSms ? ofSms : ofAll
  const counts = useCounts(view)
  return {
    source: sourceOf<Campaign>(shown, shown.data?.campaigns),
    totalPages: shown.data?.totalPages,
    total: shown.data?.totalCampaigns,
    // The filter by template is of this tab alone.
    counts: { ...counts, [view.t]: shown.data?.totalCampaigns ?? counts[view.t] },
  }
}

/** How many each tab has: the same search, days and statuses. */
function useCounts(view: CampaignsView): CampaignList['counts'] {
  const seesAll = seesEveryChannel()
  const sms = useCount({ ...view, t: 'sms' }, 'sms')
  const whatsapp = useCount({ ...view, t: 'whatsapp' }, 'whatsapp')
  const drafts = useCount({ ...view, t: 'drafts' }, seesAll ? undefined : 'sms')
  const all = sms === undefined || whatsapp === undefined ? undefined : sms + whatsapp
  return seesAll ? { all, sms, whatsapp, drafts } : { all: sms, sms, drafts }
}

function useCount(view: CampaignsView, channel: 'sms' | 'whatsapp' | undefined): number | undefined {
  const query = { ...queryOf({ ...view, p: 1, n: 1, s: 'created', d: 'desc' }), ...(channel ? { channel } : {}) }
  return useApi('campaigns.list', { query }, { keepPrevious: true, refetchInterval: 15_000 }).data?.totalCampaigns
}
