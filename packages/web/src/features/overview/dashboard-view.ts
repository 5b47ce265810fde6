import { choiceParam, defineView, idParam, type ViewState } from '../../lib/url-state.ts'
import { ranges } from './overview-view.ts'

/** The days shown, and the one account the page is about. */
export const dashboardView = defineView({ r: choiceParam(ranges, '7'), a: idParam() })
export type DashboardView = ViewState<typeof dashboardView>

/** What other screens keep in their address, by their own codes. */
export const places = {
  lowBalance: { to: 'users', search: { l: '1' } },
  registrations: { to: 'users', search: { u: '1' } },
  needsHelp: { to: 'campaigns', search: { t: '2' } },
  topUpsToAnswer: { to: 'billing', search: { t: '2', b: '1' } },
} as const
