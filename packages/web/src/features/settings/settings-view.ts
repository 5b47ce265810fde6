import { OptOutScope, OptOutSource } from '@carillon/contract/opt-outs'
import type { Role } from '@carillon/contract/roles'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channelList } from '../../channels/index.ts'
import { choiceParam, defineView, numberParam, pageParam, textParam } from '../../lib/url-state.ts'

/** Every tab there is; values are only ever added at the end. */
export const settingsTabs = [
  'profile',
  'preferences',
  'notifications',
  'security',
  'brand',
  'registration',
  'rates',
  'invoices',
  'channels',
  'sending',
  'audit',
  'optOuts',
  'mail',
] as const
export type SettingsTab = (typeof settingsTabs)[number]

export const settingsView = defineView({
  t: choiceParam(settingsTabs, 'profile'),
  // Of the opt-outs: the number, what they are of, how they came, and the page.
  q: textParam(),
  s: choiceParam(['any', ...OptOutScope.options], 'any'),
  h: choiceParam(['any', ...OptOutSource.options], 'any'),
  p: pageParam(),
  n: numberParam({ fallback: 25, minimum: 10, maximum: 100 }),
})

const withSettings = channelList.filter(({ Settings }) => Settings)

export const tabLabels: Record<SettingsTab, string> = {
  profile: 'Profile',
  preferences: 'Preferences',
  notifications: 'Notifications',
  security: 'Security',
  brand: 'Brand',
  registration: 'Registration',
  rates: 'Rates',
  invoices: 'Invoices',
  channels: withSettings.map(({ channel }) => channelLabel(channel)).join(', '),
  sending: 'Sending',
  audit: 'Audit log',
  optOuts: 'Opt-outs',
  mail: 'Mail',
}

const own: readonly SettingsTab[] = ['profile', 'preferences', 'notifications', 'security']

/** The tabs a role has: everybody's own, and for those who run this for others how they do. */
export function tabsOf(role: Role): readonly SettingsTab[] {
  if (role === 'admin') return settingsTabs.filter((tab) => tab !== 'optOuts')
  if (role === 'reseller') return settingsTabs.filter((tab) => !['sending', 'optOuts', 'mail'].includes(tab))
  if (role === 'department_head') return own
  return role === 'manager' ? [...own, 'optOuts', 'audit'] : [...own, 'optOuts']
}
