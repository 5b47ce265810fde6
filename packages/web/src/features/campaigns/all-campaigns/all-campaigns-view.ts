import { CampaignStatus, type CampaignStatus as Status } from '@carillon/contract/campaign-records'
import { Channel } from '@carillon/contract/channels'
import { allCampaignsLink } from '../../../lib/links.ts'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../../lib/list-view.ts'
import {
  choiceParam,
  choicesParam,
  defineView,
  idsParam,
  rangeParam,
  textParam,
  type ViewState,
} from '../../../lib/url-state.ts'

/** URL state of the list of all campaigns. */
export const allCampaignsView = defineView({
  tab: allCampaignsLink.tab,
  search: searchParam(),
  accountIds: idsParam('a'),
  status: choicesParam('f', CampaignStatus.options),
  channel: choiceParam('h', ['any', ...Channel.options], 'any'),
  templateName: textParam('m'),
  range: rangeParam('r'),
  page: pageParam(),
  pageSize: pageSizeParam(10),
  openId: openIdParam(),
})
export type AllCampaignsView = ViewState<typeof allCampaignsView>

/** Percentage of failures from which a campaign needs attention. */
export const helpPercent = 10

const underWay: readonly Status[] = ['validating', 'queued', 'running', 'paused']

/** The query of the list call for this view. */
export function queryOf(view: AllCampaignsView) {
  const status = view.tab === 'under_way' ? underWay : view.status
  return {
    page: view.page,
    limit: view.pageSize,
    ...(view.search ? { search: view.search } : {}),
    ...(view.accountIds.length > 0 ? { userIds: view.accountIds.join(' , ') } : {}),
    ...(status.length > 0 ? { status: status.join(',') } : {}),
    ...(view.channel === 'any' ? {} : { channel: view.channel }),
    ...(view.templateName ? { templateName: view.templateName } : {}),
    ...(view.range ? { from: view.range.from, to: view.range.to } : {}),
    ...(view.tab === 'needs_help' ? { failedOver: helpPercent } : {}),
  }
}
