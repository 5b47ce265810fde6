import type { Role } from '@carillon/contract/roles'
import { areaOf } from './areas.ts'
import { persistenceTimeoutMs } from './constants.ts'
import {
  adoptSession,
  announceExpiry,
  currentSession,
  currentUser,
  isExpired,
  isSession,
  onSessionChange,
  type Session,
} from './session.ts'

/** Messages between the tabs of a browser. Each tab stores its session in its own session storage. */
type Word =
  | { kind: 'ask'; from: string }
  | { kind: 'hand'; to: string; session: Session }
  | { kind: 'began'; session: Session }
  | { kind: 'ended'; token: string }

/** How long a new tab waits for a session of its area's role, and in total if no other tab is known to be signed in. */
const patience = 250
/** Lock held by every tab that can share its session, so that a new tab can detect one. */
const signedInLock = 'carillon.session'

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('carillon.session')
const self = `${Date.now()}-${Math.random()}`
let known = currentUser()?.token
let release: (() => void) | undefined

/** Answers other tabs; calls back when a session arrives after the first render. */
export function shareSession(onLateSession: () => void) {
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const word = wordOf(data)
    if (word) hear(word, onLateSession)
  })
  onSessionChange(notifyOtherTabs)
  onSessionChange(shareLock)
  shareLock()
}

function hear(word: Word, onLateSession: () => void) {
  switch (word.kind) {
    case 'ask':
      return answer(word.from)
    case 'ended':
      return word.token === currentUser()?.token ? announceExpiry() : undefined
    case 'began':
      return mayTakeUp(word.session) ? adoptSession(word.session) : undefined
    case 'hand':
      if (word.to !== self || currentUser()) return undefined
      adoptSession(word.session)
      return onLateSession()
  }
}

/** Requests the session of another open tab before the first render. */
export async function askForSession(): Promise<void> {
  if (currentUser() || !channel) return
  const area = areaOf(window.location.pathname)
  const handed = area ? await firstHanded(area) : undefined
  if (handed) adoptSession(handed)
  // Public pages do not wait: a session arrives later.
  else channel.postMessage({ kind: 'ask', from: self } satisfies Word)
}

/** The session of the area's role as soon as it arrives; else the first one after the timeout. */
function firstHanded(area: Role): Promise<Session | undefined> {
  return new Promise((resolve) => {
    let other: Session | undefined
    let takesAny = false
    const stop = (session: Session | undefined) => {
      clearTimeout(soon)
      clearTimeout(late)
      channel?.removeEventListener('message', take)
      resolve(session)
    }
    const soon = setTimeout(() => {
      takesAny = true
      if (other) stop(other)
      else void isSignedInElsewhere().then((is) => (is ? undefined : stop(undefined)))
    }, patience)
    const late = setTimeout(() => stop(undefined), persistenceTimeoutMs)
    function take({ data }: MessageEvent<unknown>) {
      const word = wordOf(data)
      if (word?.kind !== 'hand' || word.to !== self) return
      if (takesAny || word.session.auth?.type === area) stop(word.session)
      else other ??= word.session
    }
    channel?.addEventListener('message', take)
    channel?.postMessage({ kind: 'ask', from: self } satisfies Word)
  })
}

/** Locks exist only on https and localhost. */
async function isSignedInElsewhere(): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === signedInLock)
}

function shareLock() {
  const isWilling = mayHand(currentSession())
  if (!isWilling) {
    release?.()
    release = undefined
  } else if (!release && 'locks' in navigator) {
    const { promise, resolve } = Promise.withResolvers<void>()
    release = resolve
    void navigator.locks.request(signedInLock, { mode: 'shared' }, () => promise)
  }
}

/** An impersonated account stays in its own tab. */
function answer(to: string) {
  const session = currentSession()
  if (!mayHand(session)) return
  channel?.postMessage({ kind: 'hand', to, session } satisfies Word)
}

function mayHand({ auth, impersonation }: Session): boolean {
  return auth !== null && !impersonation && !isExpired(auth)
}

function notifyOtherTabs() {
  const { auth, impersonation } = currentSession()
  const token = currentUser()?.token
  if (token === known) return
  if (known) channel?.postMessage({ kind: 'ended', token: known } satisfies Word)
  if (auth && !impersonation) channel?.postMessage({ kind: 'began', session: currentSession() } satisfies Word)
  known = token
}

/** The same account signed in again elsewhere: an expired tab continues. */
function mayTakeUp({ auth }: Session): boolean {
  const session = currentSession()
  const isOwn = !session.impersonation && session.auth?.username === auth?.username && session.auth?.type === auth?.type
  return isOwn && session.auth?.token !== auth?.token
}

function wordOf(data: unknown): Word | undefined {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return undefined
  if ('session' in data && !isSession(data.session)) return undefined
  // Only our own tabs write to the channel; its session is validated like one from storage.
  return data as Word
}
