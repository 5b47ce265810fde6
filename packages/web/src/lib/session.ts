import { AuthenticatedUser } from '@carillon/contract/auth'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'

/** An admin or reseller looking at another account: who it is, who looks, and the handle that ends it. */
const Impersonation = z.object({
  impersonatedUser: AuthenticatedUser,
  impersonationMode: z.literal(true),
  impersonatedBy: z.string(),
  adminToken: z.string(),
})
export type Impersonation = z.infer<typeof Impersonation>

const Session = z.object({
  version: z.literal(1),
  auth: AuthenticatedUser.nullable(),
  impersonation: Impersonation.nullable(),
})
export type Session = z.infer<typeof Session>

const key = 'carillon.session'
const signedOut: Session = { version: 1, auth: null, impersonation: null }

let session = load()
let loggedOutHere = false
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
  change({ ...signedOut, auth: pickUser(user) })
}

/** Forgets the account in this tab; `hasJustLoggedOut` stays true until the next sign-in. */
export function signOut() {
  loggedOutHere = true
  change(signedOut)
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

function change(next: Session) {
  session = next
  try {
    if (next.auth || next.impersonation) sessionStorage.setItem(key, JSON.stringify(next))
    else sessionStorage.removeItem(key)
  } catch {
    // A browser without storage still works; only a reload signs out.
  }
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function load(): Session {
  if (typeof sessionStorage === 'undefined') return signedOut
  try {
    return Session.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
  } catch {
    return signedOut
  }
}

/** The answer of a sign-in carries success and message beside the user. */
function pickUser({ token, type, username, email, expiresAt, isFirstLogin }: AuthenticatedUser): AuthenticatedUser {
  return { token, type, username, email, expiresAt, isFirstLogin }
}
