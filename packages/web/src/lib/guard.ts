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
  /** The role's own front page. */
  | { kind: 'home'; to: string; alert?: string }

type Visit = { address: string; user: Pick<AuthenticatedUser, 'type' | 'expiresAt'> | null; alertShown?: boolean }

/** What becomes of a visit: unsafe addresses and strangers go to the login, the wrong role to its own home. */
export function judgeVisit({ address, user, alertShown = false }: Visit): Verdict {
  if (!isSafeAddress(address)) return { kind: 'login', alert: guardTexts.suspicious }
  const pathname = address.replace(/[?#].*$/s, '')
  const area = areaOf(pathname)

  if (area === undefined) {
    // A signed-in visitor of the login page goes home, unless it is showing why he was sent there.
    const goesHome = pathname === '/' && user && !isExpired(user) && !alertShown
    return goesHome ? { kind: 'home', to: areaPrefix[user.type] } : { kind: 'open' }
  }
  if (!user) return { kind: 'login', remember: address }
  if (user.type !== area) return { kind: 'home', to: areaPrefix[user.type], alert: guardTexts.unauthorized }
  return { kind: 'open' }
}

/** Where a sign-in leads: back to the remembered place if the role may see it, else to its home. */
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

/** Whether the 'Session Expired' modal stands over the page. */
export function sessionHasEnded({ user, pathIsPublic, justLoggedOut, announced, now = Date.now() }: Guarded): boolean {
  if (pathIsPublic) return false
  if (user) return announced || isExpired(user, now)
  return !justLoggedOut
}
