import type { Role } from '@carillon/contract/roles'
import { areaPrefix } from './areas.ts'
import { call } from './call.ts'
import { currentUser, handOverKey, recordKey, type Impersonation } from './session.ts'

/** Whether a new tab was opened, or blocked by the browser; then the user must follow the link. */
export type Opened = { kind: 'opened' } | { kind: 'blocked'; address: string }

/**
 * Opens another account in a new tab. The record is passed in session storage under a one-off key: a tab opened from this
 * one starts with a copy, so the window must keep its opener (no `noopener`), and this tab deletes the record immediately.
 */
export async function openAccount(
  account: { _id: string; type: Role },
  { reason = '' }: { reason?: string } = {},
): Promise<Opened> {
  const name = currentUser()?.type === 'reseller' ? 'auth.resellerImpersonate' : 'auth.impersonate'
  const { exitToken, ...granted } = await call(name, { body: { userId: account._id, reason } })
  const record: Impersonation = { ...granted, adminToken: exitToken }
  const key = oneOffKey()
  const address = `${areaPrefix[account.type]}?${handOverKey}=${key}`

  sessionStorage.setItem(recordKey(key), JSON.stringify(record))
  const opened = window.open(address, '_blank')
  if (opened) {
    sessionStorage.removeItem(recordKey(key))
    return { kind: 'opened' }
  }
  // The link needs the record; it works once, and only from this tab.
  return { kind: 'blocked', address }
}

/** Ends the impersonation on the server; the tab clears it even if the call fails. */
export async function reportExit({ adminToken }: Impersonation): Promise<void> {
  await call('auth.exitImpersonation', { body: { exitToken: adminToken } }).catch(() => undefined)
}

function oneOffKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
