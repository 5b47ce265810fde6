import type { ReportChannel, ReportStatus } from '@carillon/contract/report-file-records'
import { channelTraits } from '@carillon/contract/channels/table'
import { channelList } from '../../channels/index.ts'
import { pageParam, pageSizeParam } from '../../lib/list-view.ts'
import { reportsLink } from '../../lib/links.ts'
import { defineView, optionalChoiceParam, rangeParam, type ViewState } from '../../lib/url-state.ts'

/** In the order of their numbers in the URL. */
export const reportStatuses = [
  'queued',
  'processing',
  'ready',
  'failed',
  'expired',
] as const satisfies readonly ReportStatus[]

/** `all` are the reports of every channel together; in the order of their numbers in the URL. */
const listedChannels: readonly ReportChannel[] = ['all', ...channelList.map(({ channel }) => channel)]

/** Channels that a report can be of. */
export const reportChannels = listedChannels.filter(
  (channel) => channel === 'all' || channelTraits[channel].isSupported,
)

/** URL state of the list of reports. */
export const reportsView = defineView({
  ...reportsLink,
  channel: optionalChoiceParam('h', listedChannels),
  status: optionalChoiceParam('u', reportStatuses),
  range: rangeParam('r'),
  page: pageParam(),
  pageSize: pageSizeParam(25),
})
export type ReportsView = ViewState<typeof reportsView>

/** The query of the list for this view. */
export function listQueryOf({ page, pageSize, channel, status, range }: ReportsView) {
  return { page, limit: pageSize, ...(channel ? { channel } : {}), ...(status ? { status } : {}), ...range }
}

/** The list's first page without filters, where new reports are. */
export function unfiltered(view: ReportsView): ReportsView {
  return { ...view, page: 1, channel: undefined, status: undefined, range: undefined }
}
