import type { Preferences } from '@carillon/contract/accounts'

/** Defaults until the account is loaded. */
const usual: Preferences = {
  sounds: true,
  desktopNotifications: false,
  chatNotifications: 'all',
  singleKeyShortcuts: true,
  density: 'comfortable',
  previewTheme: 'page',
  mailCampaigns: false,
  mailBalance: true,
  mailSupport: true,
}

let preferences = usual

/** Preferences of the signed-in account. */
export function currentPreferences(): Preferences {
  return preferences
}

export function setPreferences(next: Preferences | undefined) {
  preferences = next ?? usual
}
