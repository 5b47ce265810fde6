import { StatementKind, TopUpStatus } from '@carillon/contract/billing'
import { billingLink } from '../../lib/links.ts'
import { pageParam, pageSizeParam } from '../../lib/list-view.ts'
import { choiceParam, defineView, rangeParam, type ViewState } from '../../lib/url-state.ts'

/** URL state of the billing screen. */
export const billingView = defineView({
  tab: billingLink.tab,
  range: rangeParam('r'),
  kind: choiceParam('f', ['any', ...StatementKind.options], 'any'),
  box: billingLink.box,
  status: choiceParam('u', ['any', ...TopUpStatus.options], 'any'),
  page: pageParam(),
  pageSize: pageSizeParam(10),
})

export type BillingView = ViewState<typeof billingView>
export type BillingTab = BillingView['tab']
