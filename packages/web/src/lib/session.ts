import type { AuthenticatedUser } from '@carillon/contract/auth'
import { useSyncExternalStore } from 'react'

/**
 * An admin or reseller looking at another account: who it is, who looks, and in the place of the admin's own token the
 * handle that ends it and is good for nothing else.
 */
export type Impersonation = {
  impersonatedUser: AuthenticatedUser
  impersonationMode: true
  impersonatedBy: string
  adminToken: string
}

export type Session = { version: 1; auth: AuthenticatedUser | null; impersonation: Impersonation | null }

const key = 'carillon.session'
const signedOut: Session = { version: 1, auth: null, impersonation: null }

/** The query parameter that names the record a new tab takes over. */
export const handOverKey = 'k'
export const recordKey = (key: string) => `carillon.impersonation.${key}`

let session = takeOver() ?? load()
let loggedOutHere = false
let expired = false
const listeners = new Set<() => void>()

export function currentSession(): Session {
  return session
}

/** Who acts: the impersonated account while impersonating. */
export function currentUser(): AuthenticatedUser | null {
  return session.impersonation?.impersonatedUser ?? session.auth
}

export function signIn(user: AuthenticatedUser) {
  loggedOutHere = false
  expired = false
  change({ ...signedOut, auth: pickUser(user) })
}

/** Takes over what another tab of the same browser handed to this one. */
export function adoptSession(handed: Session) {
  loggedOutHere = false
  expired = false
  change(handed)
}

/** Forgets the account in this tab; `hasJustLoggedOut` stays true until the next sign-in. */
export function signOut() {
  loggedOutHere = true
  expired = false
  change(signedOut)
}

/** The server does not know the session any more, or its time is over. */
export function announceExpiry() {
  if (expired || !currentUser()) return
  expired = true
  announce()
}

export function useExpiryAnnounced(): boolean {
  return useSyncExternalStore(listen, () => expired)
}

/** True between a log-out in this tab and the next sign-in: no expiry is announced then. */
export function hasJustLoggedOut(): boolean {
  return loggedOutHere
}

/** Ends an impersonation: nothing of either account stays in this tab. */
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

/** Calls back after every change; returns what ends it. */
export function onSessionChange(listener: () => void): () => void {
  return listen(listener)
}

function change(next: Session) {
  session = next
  try {
    if (next.auth || next.impersonation) sessionStorage.setItem(key, JSON.stringify(next))
    else sessionStorage.removeItem(key)
  } catch {
    // A browser without storage still works; only a reload signs out.
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

/** In a tab opened for another's account: its record, once; what was copied of the opener's own session goes. */
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

/** Another version, or something a person put there, counts as signed out. */
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

/** The answer of a sign-in carries success and message beside the user. */
function pickUser({ token, type, username, email, expiresAt, isFirstLogin }: AuthenticatedUser): AuthenticatedUser {
  return { token, type, username, email, expiresAt, isFirstLogin }
}
