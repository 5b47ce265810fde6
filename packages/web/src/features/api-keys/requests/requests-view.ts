import type { ApiSendStatus } from '@carillon/contract/request-log-records'
import { channelList } from '../../../channels/index.ts'
import { accountZone } from '../../../lib/format.ts'
import { openIdParam, pageParam, pageSizeParam } from '../../../lib/list-view.ts'
import { instantIn } from '../../../lib/local-time.ts'
import {
  defineView,
  idParam,
  optionalChoiceParam,
  rangeParam,
  type DayRange,
  type ViewState,
} from '../../../lib/url-state.ts'
import { apiKeysView } from '../api-keys-view.ts'

/** In the order of their numbers in the URL. */
export const requestStatuses = [
  'accepted',
  'processing',
  'completed',
  'partially_failed',
  'failed',
  'rejected',
] as const satisfies readonly ApiSendStatus[]

export const requestChannels = channelList.map(({ channel }) => channel)

/** URL state of the request log. */
export const requestsView = defineView({
  tab: apiKeysView.tab,
  status: optionalChoiceParam('u', requestStatuses),
  channel: optionalChoiceParam('h', requestChannels),
  keyId: idParam('k'),
  range: rangeParam('r'),
  page: pageParam(),
  pageSize: pageSizeParam(25),
  openId: openIdParam(),
})
export type RequestsView = ViewState<typeof requestsView>

/** The query of the list for this view. */
export function requestsQueryOf({ page, pageSize, status, channel, keyId, range }: RequestsView) {
  return {
    kind: 'api_send' as const,
    page,
    limit: pageSize,
    ...(status ? { status } : {}),
    ...(channel ? { channel } : {}),
    ...(keyId ? { key: keyId } : {}),
    ...(range ? instantsOf(range) : {}),
  }
}

/** From the beginning of the first day until the end of the last one, in the reader's time zone. */
function instantsOf({ from, to }: DayRange) {
  const dayAfter = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  const beginOf = (day: string) => instantIn(`${day}T00:00`, accountZone()).toISOString()
  return { from: beginOf(from), to: beginOf(dayAfter) }
}
