import type { Role } from '@carillon/contract/roles'
import { choiceParam, defineView } from '../../lib/url-state.ts'

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
  'whatsapp',
  'sending',
  'audit',
] as const
export type SettingsTab = (typeof settingsTabs)[number]

export const settingsView = defineView({ t: choiceParam(settingsTabs, 'profile') })

export const tabLabels: Record<SettingsTab, string> = {
  profile: 'Profile',
  preferences: 'Preferences',
  notifications: 'Notifications',
  security: 'Security',
  brand: 'Brand',
  registration: 'Registration',
  rates: 'Rates',
  invoices: 'Invoices',
  whatsapp: 'WhatsApp',
  sending: 'Sending',
  audit: 'Audit log',
}

const own: readonly SettingsTab[] = ['profile', 'preferences', 'notifications', 'security']

/** The tabs a role has: everybody's own, and for those who run this for others how they do. */
export function tabsOf(role: Role): readonly SettingsTab[] {
  if (role === 'admin') return settingsTabs
  if (role === 'reseller') return settingsTabs.filter((tab) => tab !== 'sending')
  return role === 'manager' ? [...own, 'audit'] : own
}
