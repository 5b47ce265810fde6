import { sessionCheckMs } from '../lib/constants.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { isPublic } from '../lib/areas.ts'
import { sessionHasEnded } from '../lib/guard.ts'
import { rememberName, rememberPlace } from '../lib/remembered-place.ts'
import { hasJustLoggedOut, signOut, useExpiryAnnounced, useUser } from '../lib/session.ts'
import type { AppRouter } from './router.tsx'

const SessionExpiredDialog = lazy(async () => ({
  default: (await import('./session-expired-dialog.tsx')).SessionExpiredDialog,
}))

/** Looks once a minute and on each navigation whether the session still stands; public pages are left alone. */
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

  /** Whoever signs in again goes on where he was. */
  function onAnswer() {
    if (user) {
      rememberPlace(router.state.location.href, user.username)
      rememberName(user.username)
    }
    signOut()
    void router.navigate({ to: '/', replace: true })
  }
  return (
    <Suspense>
      <SessionExpiredDialog onAnswer={onAnswer} />
    </Suspense>
  )
}
