import { CampaignStatus } from '@carillon/contract/campaign-records'
import { comparable } from '@carillon/contract/unified-campaigns'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../../lib/list-view.ts'
import { choiceParam, choicesParam, defineView, idsParam, rangeParam, type ViewState } from '../../../lib/url-state.ts'

export const unifiedTabs = ['list', 'week', 'compare'] as const

/** URL state of the screen for campaigns over several channels. */
export const unifiedView = defineView({
  tab: choiceParam('t', unifiedTabs, 'list'),
  search: searchParam(),
  status: choicesParam('f', CampaignStatus.options),
  page: pageParam(),
  pageSize: pageSizeParam(10),
  openId: openIdParam(),
  /** The shown week; absent: the current one. */
  week: rangeParam('r'),
  /** Campaigns to compare. */
  ids: idsParam('i', comparable.most),
})
export type UnifiedView = ViewState<typeof unifiedView>

export type ViewProps = {
  view: UnifiedView
  setView: (patch: Partial<UnifiedView>, change?: { replace?: boolean }) => void
}

/** The query of the list call for this view. */
export function queryOf({ page, pageSize, search, status }: UnifiedView) {
  return {
    page,
    limit: pageSize,
    ...(search ? { search } : {}),
    ...(status.length > 0 ? { status: status.join(',') } : {}),
  }
}
