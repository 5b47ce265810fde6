import { CampaignStatus, type CampaignStatus as Status } from '@carillon/contract/campaign-records'
import {
  choiceParam,
  choicesParam,
  defineView,
  idParam,
  numberParam,
  pageParam,
  rangeParam,
  textParam,
  type ViewState,
} from '../../../lib/url-state.ts'

const statuses = CampaignStatus.options
export const tabs = ['all', 'sms', 'drafts', 'whatsapp'] as const
export const sorts = ['created', 'name', 'recipients', 'cost'] as const

/** URL state of the campaign list. */
export const campaignsView = defineView({
  t: choiceParam(tabs, 'all'),
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

/** The query of the list of every channel that shows this view. */
export function queryOf(view: CampaignsView) {
  const status: readonly Status[] = view.t === 'drafts' ? ['draft', 'ready'] : view.f
  return {
    page: view.p,
    limit: view.n,
    ...(view.t === 'whatsapp' ? { channel: 'whatsapp' as const } : {}),
    ...(view.q ? { search: view.q } : {}),
    sort: view.s,
    direction: view.d,
    ...(status.length > 0 ? { status: status.join(',') } : {}),
    ...(view.r ? { from: view.r.from, to: view.r.to } : {}),
  }
}

/** The query of the list of SMS, which knows the template. */
export function smsQueryOf(view: CampaignsView) {
  const { channel: _, ...query } = queryOf(view)
  return {
    ...query,
    ...(view.m ? { templateId: view.m } : {}),
  }
}
