import { DeliveredType, type DeliveryStatus } from '@carillon/contract/webhook-records'
import { openIdParam } from '../../../lib/list-view.ts'
import { defineView, idsParam, optionalChoiceParam, textParam, type ViewState } from '../../../lib/url-state.ts'
import { apiKeysView } from '../api-keys-view.ts'

export const deliveryStatuses = [
  'pending',
  'failed',
  'delivered',
  'dead',
  'retained',
] as const satisfies readonly DeliveryStatus[]

/** URL state of the deliveries of an endpoint. */
export const deliveriesView = defineView({
  tab: apiKeysView.tab,
  endpointId: apiKeysView.endpointId,
  status: optionalChoiceParam('u', deliveryStatuses),
  type: textParam('y'),
  /** The cursors that led to the page, in the place of its number. */
  cursors: idsParam('p', 100),
  openId: openIdParam(),
})
export type DeliveriesView = ViewState<typeof deliveriesView>

export const deliveriesOnPage = 20

/** The query of the deliveries for this view. */
export function deliveriesQueryOf({ status, type, cursors }: DeliveriesView) {
  const known = DeliveredType.safeParse(type).data
  const cursor = cursors.at(-1)?.replaceAll('-', '')
  return {
    limit: deliveriesOnPage,
    ...(status ? { status } : {}),
    ...(known ? { type: known } : {}),
    ...(cursor ? { cursor } : {}),
  }
}

/** The cursors of another page. A cursor is an id without dashes; the URL's state has ids. */
export function cursorsOfPage(page: number, { cursors }: DeliveriesView, next: string | null): readonly string[] {
  if (page <= cursors.length) return cursors.slice(0, page - 1)
  return next === null ? cursors : [...cursors, next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')]
}
