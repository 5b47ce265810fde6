import { RouterProvider } from '@tanstack/react-router'
import { createAppRouter } from './router.tsx'
import { SecurityAlert } from './security-alert.tsx'
import { SessionExpired } from './session-expired.tsx'

const router = createAppRouter()

/** What stands over every page, public or not. */
export function App() {
  return (
    <>
      <RouterProvider router={router} />
      <SessionExpired router={router} />
      <SecurityAlert />
    </>
  )
}
