import { StatementKind, TopUpStatus } from '@carillon/contract/billing'
import { choiceParam, defineView, numberParam, pageParam, rangeParam } from '../../lib/url-state.ts'

export const billingTabs = ['overview', 'statement', 'requests', 'invoices', 'details', 'margin'] as const
export type BillingTab = (typeof billingTabs)[number]

/** URL state of the billing screen. */
export const billingView = defineView({
  t: choiceParam(billingTabs, 'overview'),
  r: rangeParam(),
  f: choiceParam(['any', ...StatementKind.options], 'any'),
  b: choiceParam(['mine', 'incoming'], 'mine'),
  u: choiceParam(['any', ...TopUpStatus.options], 'any'),
  p: pageParam(),
  n: numberParam({ fallback: 10, minimum: 10, maximum: 100 }),
})
