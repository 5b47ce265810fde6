import type { Preferences } from '@carillon/contract/accounts'

/** As long as the account has not been read. */
const usual: Preferences = {
  sounds: true,
  singleKeyShortcuts: true,
  density: 'comfortable',
  previewTheme: 'page',
  mailCampaigns: false,
  mailBalance: true,
  mailSupport: true,
}

let preferences = usual

/** What the signed-in account prefers. */
export function currentPreferences(): Preferences {
  return preferences
}

export function setPreferences(next: Preferences | undefined) {
  preferences = next ?? usual
}
