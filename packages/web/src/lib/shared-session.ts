import type { Role } from '@carillon/contract/roles'
import { areaOf } from './areas.ts'
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

/** What the tabs of one browser tell each other. Each keeps what it was handed in its own session storage. */
type Word =
  | { kind: 'ask'; from: string }
  | { kind: 'hand'; to: string; session: Session }
  | { kind: 'began'; session: Session }
  | { kind: 'ended'; token: string }

/** How long a new tab waits for the others before it asks for a password. */
const patience = 250

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('carillon.session')
const self = `${Date.now()}-${Math.random()}`
let known = currentUser()?.token

/** Answers other tabs for as long as this one lives; calls back when it was handed a session after its first screen was drawn. */
export function shareSession(onLateSession: () => void) {
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const word = wordOf(data)
    if (word) hear(word, onLateSession)
  })
  onSessionChange(tellOthers)
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

/** A new tab or a typed address: the session of another open tab, before anything is drawn. */
export async function askForSession(): Promise<void> {
  if (currentUser() || !channel) return
  const area = areaOf(window.location.pathname)
  const handed = area ? await firstHanded(area) : undefined
  if (handed) adoptSession(handed)
  // Public pages do not wait: a session that is handed to them comes late.
  else channel.postMessage({ kind: 'ask', from: self } satisfies Word)
}

/** The session of the area's own role as soon as it comes; otherwise the first one, once all had their time. */
function firstHanded(area: Role): Promise<Session | undefined> {
  return new Promise((resolve) => {
    let other: Session | undefined
    const stop = (session: Session | undefined) => {
      clearTimeout(timer)
      channel?.removeEventListener('message', take)
      resolve(session)
    }
    const timer = setTimeout(() => stop(other), patience)
    function take({ data }: MessageEvent<unknown>) {
      const word = wordOf(data)
      if (word?.kind !== 'hand' || word.to !== self) return
      if (word.session.auth?.type === area) stop(word.session)
      else other ??= word.session
    }
    channel?.addEventListener('message', take)
    channel?.postMessage({ kind: 'ask', from: self } satisfies Word)
  })
}

/** An account that is only visited stays in the tab that was opened for the visit. */
function answer(to: string) {
  const session = currentSession()
  if (!session.auth || session.impersonation || isExpired(session.auth)) return
  channel?.postMessage({ kind: 'hand', to, session } satisfies Word)
}

function tellOthers() {
  const { auth, impersonation } = currentSession()
  const token = currentUser()?.token
  if (token === known) return
  if (known) channel?.postMessage({ kind: 'ended', token: known } satisfies Word)
  if (auth && !impersonation) channel?.postMessage({ kind: 'began', session: currentSession() } satisfies Word)
  known = token
}

/** The same account signed in again elsewhere: a tab that had expired goes on where it stands. */
function mayTakeUp({ auth }: Session): boolean {
  const session = currentSession()
  const isOwn = !session.impersonation && session.auth?.username === auth?.username && session.auth?.type === auth?.type
  return isOwn && session.auth?.token !== auth?.token
}

function wordOf(data: unknown): Word | undefined {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return undefined
  if ('session' in data && !isSession(data.session)) return undefined
  // Only our own tabs write to the channel; the session in it was checked like one from storage.
  return data as Word
}
