import { CampaignStatus, type CampaignStatus as Status } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { channelList } from '../../../channels/index.ts'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../../lib/list-view.ts'
import {
  choiceParam,
  choicesParam,
  defineView,
  idParam,
  rangeParam,
  type Param,
  type ViewState,
} from '../../../lib/url-state.ts'

const statuses = CampaignStatus.options
export const sorts = ['created', 'name', 'recipients', 'cost'] as const

/** All campaigns, the drafts, or those of a channel. */
export type CampaignTab = 'all' | 'drafts' | Channel

const tabNumbers: ReadonlyMap<CampaignTab, number> = new Map<CampaignTab, number>([
  ['all', 0],
  ['drafts', 2],
  ...channelList.flatMap(({ channel, campaigns }) => (campaigns ? [[channel, campaigns.tab] as const] : [])),
])

function tabParam(letter: string): Param<CampaignTab> {
  return {
    letter,
    fallback: 'all',
    read: (text) => [...tabNumbers].find(([, number]) => String(number) === text)?.[0],
    write: (tab) => String(tabNumbers.get(tab) ?? 0),
  }
}

/** URL state of the campaign list. */
export const campaignsView = defineView({
  tab: tabParam('t'),
  search: searchParam(),
  status: choicesParam('f', statuses),
  templateId: idParam('m'),
  range: rangeParam('r'),
  sort: choiceParam('s', sorts, 'created'),
  direction: choiceParam('d', ['desc', 'asc'], 'desc'),
  page: pageParam(),
  pageSize: pageSizeParam(10),
  openId: openIdParam(),
})

export type CampaignsView = ViewState<typeof campaignsView>

/** The channel of the listed campaigns; undefined for all. `only`: the user's single channel. */
export function channelOf({ tab }: Pick<CampaignsView, 'tab'>, only: Channel | undefined): Channel | undefined {
  return tab === 'all' || tab === 'drafts' ? only : tab
}

/** The query of the list call for this view. */
export function queryOf(view: CampaignsView, only?: Channel) {
  const status: readonly Status[] = view.tab === 'drafts' ? ['draft', 'ready'] : view.status
  const channel = channelOf(view, only)
  return {
    page: view.page,
    limit: view.pageSize,
    ...(channel ? { channel } : {}),
    // Templates belong to a channel, so the filter applies to its tab only.
    ...(channel && view.templateId ? { templateId: view.templateId } : {}),
    ...(view.search ? { search: view.search } : {}),
    sort: view.sort,
    direction: view.direction,
    ...(status.length > 0 ? { status: status.join(',') } : {}),
    ...(view.range ? { from: view.range.from, to: view.range.to } : {}),
  }
}
