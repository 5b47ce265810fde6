import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { loadBrand } from '../lib/brand.ts'
import { placeAfterSignIn } from '../lib/guard.ts'
import { popRememberedPlace } from '../lib/remembered-place.ts'
import { isSecurityAlertShown } from '../lib/security-alert.ts'
import { currentUser, useUser } from '../lib/session.ts'
import { shareSession } from '../lib/shared-session.ts'
import { createAppRouter } from './router.tsx'
import { SecurityAlert } from './security-alert.tsx'
import { SessionExpired } from './session-expired.tsx'

const router = createAppRouter()
// Called after the login page was rendered: navigates to the remembered location.
shareSession(() => {
  const user = currentUser()
  if (user && router.state.location.pathname === '/' && !isSecurityAlertShown()) {
    router.history.replace(placeAfterSignIn(user, popRememberedPlace(user.username)))
  }
})
// Before the first render, so that the response is there with the first screen.
void loadBrand()

/** Shown above every page, public or not. */
export function App() {
  const token = useUser()?.token
  useEffect(() => {
    void loadBrand()
  }, [token])
  return (
    <>
      <RouterProvider router={router} />
      <SessionExpired router={router} />
      <SecurityAlert />
    </>
  )
}
