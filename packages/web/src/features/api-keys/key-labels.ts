import type { ApiEnvironment, ApiKeyProblem, ApiKeyStatus } from '@carillon/contract/api-key-records'
import { CircleCheck, Clock, OctagonX, Ban, type LucideIcon } from 'lucide-react'
import type { Tone } from '../../ui/pill.tsx'

export const environmentLabels: Record<ApiEnvironment, string> = { test: 'Test', live: 'Live' }

export const statusLooks: Record<ApiKeyStatus, { label: string; tone: Tone; icon: LucideIcon }> = {
  active: { label: 'Active', tone: 'good', icon: CircleCheck },
  expiring: { label: 'Expires soon', tone: 'care', icon: Clock },
  expired: { label: 'Expired', tone: 'bad', icon: OctagonX },
  deactivated: { label: 'Deactivated', tone: 'neutral', icon: Ban },
}

/** Why a key is rejected, and what to do. */
export const problemTexts: Record<ApiKeyProblem, { title: string; text: string }> = {
  unknown: { title: 'unknown key', text: 'It was mistyped, or it belongs to an account that you cannot see.' },
  revoked: { title: 'old secret', text: 'The key was regenerated, and this secret has ended. Use the new one.' },
  deactivated: { title: 'deactivated', text: 'A deactivated key cannot be used again. Create a new key.' },
  expired: { title: 'expired', text: 'Set a later expiry to use it again.' },
  account_suspended: { title: 'account suspended', text: 'The account of its owner is not active.' },
  module_missing: { title: 'no API module', text: 'The account of its owner may not use the API.' },
  ip_not_allowed: {
    title: 'address not allowed',
    text: 'Neither the key nor its config may exclude the address. Change their allowed addresses.',
  },
  scope_missing: { title: 'scope missing', text: 'Add the scope to the key.' },
}
