import {
  openAccount,
  type ProviderQueryDeps,
  type ManagedAccount,
  type ProviderAccount,
} from '../../../modules/senders/index.ts'
import type { WhatsappManagement } from '../management.ts'

export type OpenWhatsapp = Omit<ManagedAccount, 'manage'> & { manage: WhatsappManagement }

/** Opens an account with all the calls of a WhatsApp provider. */
export function openWhatsapp(account: ProviderAccount, deps: ProviderQueryDeps): OpenWhatsapp {
  const { manage, ...opened } = openAccount(account, deps)
  // The type of every WhatsApp provider; the provider registry drops it.
  return { ...opened, manage: manage as WhatsappManagement }
}
