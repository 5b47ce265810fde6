import type { AuthenticatedUser } from '@carillon/contract/auth'
import { useSyncExternalStore } from 'react'

/** Impersonation by an admin or reseller: the account, the impersonator, and instead of the admin's token a handle that can only end it. */
export type Impersonation = {
  impersonatedUser: AuthenticatedUser
  impersonationMode: true
  impersonatedBy: string
  adminToken: string
}

export type Session = { version: 1; auth: AuthenticatedUser | null; impersonation: Impersonation | null }

const key = 'carillon.session'
const signedOut: Session = { version: 1, auth: null, impersonation: null }

/** The query parameter with the key of the record for a new tab. */
export const handOverKey = 'k'
export const recordKey = (key: string) => `carillon.impersonation.${key}`

let session = takeOver() ?? load()
let loggedOutHere = false
let expired = false
const listeners = new Set<() => void>()

export function currentSession(): Session {
  return session
}

/** The acting account; during impersonation, the impersonated one. */
export function currentUser(): AuthenticatedUser | null {
  return session.impersonation?.impersonatedUser ?? session.auth
}

export function signIn(user: AuthenticatedUser) {
  loggedOutHere = false
  expired = false
  change({ ...signedOut, auth: pickUser(user) })
}

/** Adopts the session of another tab. */
export function adoptSession(handed: Session) {
  loggedOutHere = false
  expired = false
  change(handed)
}

/** Clears the account in this tab; `hasJustLoggedOut` stays true until the next sign-in. */
export function signOut() {
  loggedOutHere = true
  expired = false
  change(signedOut)
}

/** The session is unknown to the server, or has expired. */
export function announceExpiry() {
  if (expired || !currentUser()) return
  expired = true
  announce()
}

export function useExpiryAnnounced(): boolean {
  return useSyncExternalStore(listen, () => expired)
}

/** True between log-out in this tab and the next sign-in, to suppress the expiry dialog. */
export function hasJustLoggedOut(): boolean {
  return loggedOutHere
}

/** Ends an impersonation and removes both accounts from this tab. */
export function leaveImpersonation() {
  sessionStorage.clear()
  signOut()
}

/** Unix seconds against now. */
export function isExpired(user: { expiresAt: number }, now = Date.now()): boolean {
  return user.expiresAt <= now / 1000
}

export function useSession(): Session {
  return useSyncExternalStore(listen, currentSession)
}

export function useUser(): AuthenticatedUser | null {
  return useSyncExternalStore(listen, currentUser)
}

/** Registers a callback for session changes; returns the unsubscribe function. */
export function onSessionChange(listener: () => void): () => void {
  return listen(listener)
}

function change(next: Session) {
  session = next
  try {
    if (next.auth || next.impersonation) sessionStorage.setItem(key, JSON.stringify(next))
    else sessionStorage.removeItem(key)
  } catch {
    // Without storage the session is lost on reload.
  }
  announce()
}

function announce() {
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** In a tab opened for impersonation: consumes its record and drops the copied session of the opener. */
function takeOver(): Session | undefined {
  if (typeof window === 'undefined') return undefined
  const place = new URL(window.location.href)
  const name = recordKey(place.searchParams.get(handOverKey) ?? '')
  const stored = sessionStorage.getItem(name)
  if (stored === null) return undefined
  sessionStorage.clear()
  place.searchParams.delete(handOverKey)
  window.history.replaceState(window.history.state, '', place)
  try {
    const taken: unknown = { ...signedOut, impersonation: JSON.parse(stored) as unknown }
    if (!isSession(taken)) return undefined
    sessionStorage.setItem(key, JSON.stringify(taken))
    return taken
  } catch {
    return undefined
  }
}

function load(): Session {
  if (typeof sessionStorage === 'undefined') return signedOut
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isSession(stored) ? stored : signedOut
  } catch {
    return signedOut
  }
}

/** Other versions and invalid data count as signed out. */
export function isSession(value: unknown): value is Session {
  if (!isRecord(value) || value['version'] !== 1) return false
  const { auth, impersonation } = value
  if (auth !== null && !isUser(auth)) return false
  return impersonation === null || (isRecord(impersonation) && isUser(impersonation['impersonatedUser']))
}

function isUser(value: unknown): value is AuthenticatedUser {
  if (!isRecord(value)) return false
  const texts = ['token', 'type', 'username', 'email'].every((field) => typeof value[field] === 'string')
  return texts && typeof value['expiresAt'] === 'number'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The sign-in response has success and message next to the user. */
function pickUser({ token, type, username, email, expiresAt, isFirstLogin }: AuthenticatedUser): AuthenticatedUser {
  return { token, type, username, email, expiresAt, isFirstLogin }
}
