import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { loadBrand } from '../lib/brand.ts'
import { useUser } from '../lib/session.ts'
import { createAppRouter } from './router.tsx'
import { SecurityAlert } from './security-alert.tsx'
import { SessionExpired } from './session-expired.tsx'

const router = createAppRouter()
// Before anything is drawn, so that the answer is there with the first screen.
void loadBrand()

/** What stands over every page, public or not. */
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
