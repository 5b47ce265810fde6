import { CampaignStatus, type CampaignStatus as Status } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { channelList } from '../../../channels/index.ts'
import {
  choiceParam,
  choicesParam,
  defineView,
  idParam,
  numberParam,
  pageParam,
  rangeParam,
  textParam,
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

function tabParam(): Param<CampaignTab> {
  return {
    fallback: 'all',
    read: (text) => [...tabNumbers].find(([, number]) => String(number) === text)?.[0],
    write: (tab) => String(tabNumbers.get(tab) ?? 0),
  }
}

/** URL state of the campaign list. */
export const campaignsView = defineView({
  t: tabParam(),
  q: textParam(),
  f: choicesParam(statuses),
  m: idParam(),
  r: rangeParam(),
  s: choiceParam(sorts, 'created'),
  d: choiceParam(['desc', 'asc'], 'desc'),
  p: pageParam(),
  n: numberParam({ fallback: 10, minimum: 10, maximum: 100 }),
  c: idParam(),
})

export type CampaignsView = ViewState<typeof campaignsView>

/** The channel whose campaigns are listed; undefined for every channel. `only`: the one that the reader works with. */
export function channelOf({ t }: Pick<CampaignsView, 't'>, only: Channel | undefined): Channel | undefined {
  return t === 'all' || t === 'drafts' ? only : t
}

/** The query of the list that shows this view. */
export function queryOf(view: CampaignsView, only?: Channel) {
  const status: readonly Status[] = view.t === 'drafts' ? ['draft', 'ready'] : view.f
  const channel = channelOf(view, only)
  return {
    page: view.p,
    limit: view.n,
    ...(channel ? { channel } : {}),
    // Templates belong to a channel: the filter is of its tab alone.
    ...(channel && view.m ? { templateId: view.m } : {}),
    ...(view.q ? { search: view.q } : {}),
    sort: view.s,
    direction: view.d,
    ...(status.length > 0 ? { status: status.join(',') } : {}),
    ...(view.r ? { from: view.r.from, to: view.r.to } : {}),
  }
}
