import { CampaignStatus, type CampaignStatus as Status } from '@carillon/contract/campaign-records'
import { Channel } from '@carillon/contract/channels'
import {
  choiceParam,
  choicesParam,
  defineView,
  idParam,
  idsParam,
  numberParam,
  pageParam,
  rangeParam,
  textParam,
  type ViewState,
} from '../../../lib/url-state.ts'

export const tabs = ['all', 'under_way', 'needs_help'] as const

/** URL state of the list of all campaigns. */
export const allCampaignsView = defineView({
  t: choiceParam(tabs, 'all'),
  q: textParam(),
  a: idsParam(),
  f: choicesParam(CampaignStatus.options),
  h: choiceParam(['any', ...Channel.options], 'any'),
  m: textParam(),
  r: rangeParam(),
  p: pageParam(),
  n: numberParam({ fallback: 10, minimum: 10, maximum: 100 }),
  c: idParam(),
})
export type AllCampaignsView = ViewState<typeof allCampaignsView>

/** From this share of failures on, in percent, a campaign needs help. */
export const helpPercent = 10

const underWay: readonly Status[] = ['validating', 'queued', 'running', 'paused']

/** The query of the list call that shows this view. */
export function queryOf(view: AllCampaignsView) {
  const status = view.t === 'under_way' ? underWay : view.f
  return {
    page: view.p,
    limit: view.n,
    ...(view.q ? { search: view.q } : {}),
    ...(view.a.length > 0 ? { userIds: view.a.join(' , ') } : {}),
    ...(status.length > 0 ? { status: status.join(',') } : {}),
    ...(view.h === 'any' ? {} : { channel: view.h }),
    ...(view.m ? { templateName: view.m } : {}),
    ...(view.r ? { from: view.r.from, to: view.r.to } : {}),
    ...(view.t === 'needs_help' ? { failedOver: helpPercent } : {}),
  }
}
