import type { AgentPeriod } from '@carillon/contract/live-agents'
import { channelList } from '../../channels/index.ts'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../lib/list-view.ts'
import { choiceParam, defineView, optionalChoiceParam, type ViewState } from '../../lib/url-state.ts'

export const agentTabs = ['agents', 'teams', 'assignment', 'replies'] as const
export type AgentTab = (typeof agentTabs)[number]

export const periods = ['day', 'week', 'month'] as const satisfies readonly AgentPeriod[]
const channelChoices = channelList.map(({ channel }) => channel)

/** URL state of the agents of an organisation. */
export const agentsView = defineView({
  tab: choiceParam('t', agentTabs, 'agents'),
  search: searchParam(),
  online: optionalChoiceParam('o', ['true', 'false']),
  channel: optionalChoiceParam('h', channelChoices),
  period: choiceParam('r', periods, 'day'),
  page: pageParam(),
  pageSize: pageSizeParam(25),
  openId: openIdParam(),
})
export type AgentsView = ViewState<typeof agentsView>

/** The query of the list call for this view. */
export function queryOf({ page, pageSize, search, online, channel, period }: AgentsView) {
  return {
    page,
    limit: pageSize,
    period,
    ...(search ? { search } : {}),
    ...(online ? { online } : {}),
    ...(channel ? { channel } : {}),
  }
}
