import { sessionCheckMs } from '../lib/constants.ts'
import { useEffect, useState } from 'react'
import { isPublic } from '../lib/areas.ts'
import { sessionHasEnded } from '../lib/guard.ts'
import { rememberName, rememberPlace } from '../lib/remembered-place.ts'
import { hasJustLoggedOut, signOut, useExpiryAnnounced, useUser } from '../lib/session.ts'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import type { AppRouter } from './router.tsx'

const SessionExpiredDialog = lazyDialog(() =>
  import('./session-expired-dialog.tsx').then((code) => code.SessionExpiredDialog),
)

/** Checks the session once a minute and on each navigation, except on public pages. */
export function SessionExpired({ router }: { router: AppRouter }) {
  const user = useUser()
  const announced = useExpiryAnnounced()
  const [, look] = useState(0)

  useEffect(() => {
    const again = () => look((times) => times + 1)
    const timer = setInterval(again, sessionCheckMs)
    const stopListening = router.subscribe('onResolved', again)
    return () => {
      clearInterval(timer)
      stopListening()
    }
  }, [router])

  const ended = sessionHasEnded({
    user,
    announced,
    pathIsPublic: isPublic(router.state.location.pathname),
    justLoggedOut: hasJustLoggedOut(),
  })
  if (!ended) return null

  /** The next sign-in by the same person returns to this page. */
  function onAnswer() {
    if (user) {
      rememberPlace(router.state.location.href, user.username)
      rememberName(user.username)
    }
    signOut()
    void router.navigate({ to: '/', replace: true })
  }
  return <SessionExpiredDialog onAnswer={onAnswer} />
}
