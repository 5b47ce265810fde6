import type { Campaign, CampaignStatus } from '@carillon/contract/campaign-records'
import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { sourceOf, type Source } from '../../ui/data-screen/columns.ts'
import { queryOf, smsQueryOf, type CampaignsView } from './campaigns-view.ts'

export type StatusCounts = Partial<Record<CampaignStatus, number>>

export type CampaignList = {
  source: Source<Campaign>
  totalPages: number | undefined
  total: number | undefined
  /** Of each channel, for the tabs; undefined while they are not known. */
  counts: { sms: StatusCounts | undefined; whatsapp: StatusCounts | undefined }
}

/** Whether campaigns of several channels stand in one list: whoever may not see WhatsApp's sees those of SMS alone. */
export function seesEveryChannel(): boolean {
  return mayCall('waCampaigns.list')
}

/** SMS has a list of its own that sorts; every other tab is of all channels, newest first. */
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
  const counts = useCounts(view.q)
  const shown = isOfSms ? ofSms : ofAll
  return {
    source: sourceOf<Campaign>(shown, shown.data?.campaigns),
    totalPages: shown.data?.totalPages,
    total: shown.data?.totalCampaigns,
    counts,
  }
}

/** How many there are of each channel and status, found by the same words. */
function useCounts(search: string): CampaignList['counts'] {
  const query = { limit: 1, ...(search ? { search } : {}) }
  const options = { keepPrevious: true, refetchInterval: 15_000 }
  const sms = useApi('smsCampaigns.list', { query }, options)
  const whatsapp = useApi('waCampaigns.list', { query }, options)
  return {
    sms: sms.data?.statusCounts,
    whatsapp: seesEveryChannel() ? whatsapp.data?.statusCounts : {},
  }
}
