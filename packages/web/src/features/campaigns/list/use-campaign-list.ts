import type { Campaign } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { ownWizards } from '../../../channels/campaign-wizards.ts'
import { onlyChannelOf } from '../../../channels/own-channels.ts'
import { call, type CallData } from '../../../lib/call.ts'
import { useUser } from '../../../lib/session.ts'
import { useApi } from '../../../lib/use-api.ts'
import { sourceOf, type Source } from '../../../ui/data-screen/columns.ts'
import { queryOf, type CampaignsView, type CampaignTab } from './campaigns-view.ts'

export type CampaignList = {
  source: Source<Campaign>
  totalPages: number | undefined
  total: number | undefined
  /** Counts of each tab under the same filters; undefined until known. */
  counts: Partial<Record<CampaignTab, number | undefined>>
}

const refetchInterval = 15_000

export function useCampaignList(view: CampaignsView): CampaignList {
  const only = onlyChannelOf(useUser()?.type).channel
  const shown = useApi('campaigns.list', { query: queryOf(view, only) }, { keepPrevious: true, refetchInterval })
  const counts = useCounts(view, only)
  return {
    source: sourceOf<Campaign>(shown, shown.data?.campaigns),
    totalPages: shown.data?.totalPages,
    total: shown.data?.totalCampaigns,
    // The filter by template applies to this tab only.
    counts: { ...counts, [view.tab]: shown.data?.totalCampaigns ?? counts[view.tab] },
  }
}

/** Counts of the tabs: same search, days and statuses. */
function useCounts(view: CampaignsView, only: Channel | undefined): CampaignList['counts'] {
  const tabs: CampaignTab[] = ['drafts', ...ownWizards().map(({ channel }) => channel)]
  const counted = useQueries({ queries: tabs.map((tab) => countQuery({ ...view, tab }, only)) })
  const [drafts, ...byChannel] = counted.map(({ data }) => data?.totalCampaigns)
  const known = byChannel.filter((count) => count !== undefined)
  const all = known.length < byChannel.length ? undefined : known.reduce((sum, count) => sum + count, 0)
  return { all, drafts, ...Object.fromEntries(tabs.slice(1).map((tab, index) => [tab, byChannel[index]])) }
}

function countQuery(view: CampaignsView, only: Channel | undefined) {
  const first = { templateId: undefined, page: 1, pageSize: 1, sort: 'created', direction: 'desc' } as const
  const query = queryOf({ ...view, ...first }, only)
  return {
    queryKey: ['campaigns.list', { query }],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<CallData<'campaigns.list'>> =>
      call('campaigns.list', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  }
}
