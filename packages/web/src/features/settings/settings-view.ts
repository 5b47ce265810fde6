import { OptOutScope, OptOutSource } from '@carillon/contract/opt-outs'
import type { Role } from '@carillon/contract/roles'
import { settingsLink, settingsTabs } from '../../lib/links.ts'
import { pageParam, pageSizeParam } from '../../lib/list-view.ts'
import { choiceParam, defineView, textParam, type ViewState } from '../../lib/url-state.ts'

export type SettingsTab = (typeof settingsTabs)[number]

export const settingsView = defineView({
  tab: settingsLink.tab,
  // Of the list of opt-outs.
  number: textParam('q'),
  scope: choiceParam('s', ['any', ...OptOutScope.options], 'any'),
  source: choiceParam('h', ['any', ...OptOutSource.options], 'any'),
  page: pageParam(),
  pageSize: pageSizeParam(25),
})
export type SettingsView = ViewState<typeof settingsView>

/** The list of opt-outs without a filter. */
export const noFilter = { number: '', scope: 'any', source: 'any', page: 1 } as const

export const tabLabels: Record<SettingsTab, string> = {
  profile: 'Profile',
  preferences: 'Preferences',
  notifications: 'Notifications',
  security: 'Security',
  limits: 'Sending limits',
  brand: 'Brand',
  registration: 'Registration',
  rates: 'Rates',
  invoices: 'Invoices',
  channels: 'Channels',
  sending: 'Sending',
  audit: 'Audit log',
  optOuts: 'Opt-outs',
  mail: 'Mail',
  links: 'Links',
}

const own: readonly SettingsTab[] = ['profile', 'preferences', 'notifications', 'security']

/** The tabs of a role: personal ones, and for admins and resellers those of their customers. */
export function tabsOf(role: Role): readonly SettingsTab[] {
  if (role === 'admin') return settingsTabs.filter((tab) => !['optOuts', 'limits', 'links'].includes(tab))
  if (role === 'reseller')
    return settingsTabs.filter((tab) => !['sending', 'limits', 'optOuts', 'mail', 'links'].includes(tab))
  if (role === 'department_head') return [...own, 'limits']
  return role === 'manager' ? [...own, 'limits', 'optOuts', 'links', 'audit'] : [...own, 'limits', 'optOuts']
}
