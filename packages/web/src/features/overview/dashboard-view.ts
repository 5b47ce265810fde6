import { allCampaignsLink, billingLink, usersLink } from '../../lib/links.ts'
import { choiceParam, defineView, idParam, writeView, type ViewState } from '../../lib/url-state.ts'
import { ranges } from './overview-view.ts'

/** The selected days and account. */
export const dashboardView = defineView({ range: choiceParam('r', ranges, '7'), accountId: idParam('a') })
export type DashboardView = ViewState<typeof dashboardView>

/** Where other screens show what the overview counts. */
export const places = {
  lowBalance: { to: 'users', search: writeView(usersLink, { lowBalance: true }) },
  registrations: { to: 'users', search: writeView(usersLink, { status: 'pending' }) },
  needsHelp: { to: 'campaigns', search: writeView(allCampaignsLink, { tab: 'needs_help' }) },
  topUpsToAnswer: { to: 'billing', search: writeView(billingLink, { tab: 'requests', box: 'incoming' }) },
} as const
