import type { AuthenticatedUser } from '@carillon/contract/auth'
import { areaOf, areaPrefix } from './areas.ts'
import { isSafeAddress } from './route-safety.ts'
import { isExpired } from './session.ts'

export const guardTexts = {
  suspicious: 'Suspicious activity detected. This incident will be logged.',
  unauthorized: 'Unauthorized access attempt detected.',
} as const

export type Verdict =
  | { kind: 'open' }
  | { kind: 'login'; alert?: string; remember?: string }
  /** The role's start page. */
  | { kind: 'home'; to: string; alert?: string }

type Visit = { address: string; user: Pick<AuthenticatedUser, 'type' | 'expiresAt'> | null; alertShown?: boolean }

/** Decides on a navigation: unsafe URLs and anonymous visitors go to the login page, wrong roles to their own home. */
export function judgeVisit({ address, user, alertShown = false }: Visit): Verdict {
  if (!isSafeAddress(address)) return { kind: 'login', alert: guardTexts.suspicious }
  const pathname = address.replace(/[?#].*$/s, '')
  const area = areaOf(pathname)

  if (area === undefined) {
    // Signed-in visitors of the login page are redirected home, unless it shows an alert.
    const goesHome = pathname === '/' && user && !isExpired(user) && !alertShown
    return goesHome ? { kind: 'home', to: areaPrefix[user.type] } : { kind: 'open' }
  }
  if (!user) return { kind: 'login', remember: address }
  if (user.type !== area) return { kind: 'home', to: areaPrefix[user.type], alert: guardTexts.unauthorized }
  return { kind: 'open' }
}

/** Destination after sign-in: the remembered location if the role may see it, else its home. */
export function placeAfterSignIn(
  user: Pick<AuthenticatedUser, 'type' | 'expiresAt'>,
  remembered: string | undefined,
): string {
  if (remembered && judgeVisit({ address: remembered, user }).kind === 'open') return remembered
  return areaPrefix[user.type]
}

type Guarded = {
  user: { expiresAt: number } | null
  pathIsPublic: boolean
  justLoggedOut: boolean
  announced: boolean
  now?: number
}

/** Whether to show the 'Session Expired' dialog. */
export function sessionHasEnded({ user, pathIsPublic, justLoggedOut, announced, now = Date.now() }: Guarded): boolean {
  if (pathIsPublic) return false
  if (user) return announced || isExpired(user, now)
  return !justLoggedOut
}
