import { lazy, Suspense, useState } from 'react'
import { useUser } from '../../lib/session.ts'
import { ScreenSpinner } from '../screen-spinner.tsx'
import { Shell } from './shell.tsx'

const FirstPasswordPage = lazy(async () => ({
  default: (await import('../../features/auth/first-password-page.tsx')).FirstPasswordPage,
}))

/** A role's area: the shell with its screens, or the page for setting a password. */
export function Area() {
  const user = useUser()
  const [wasFirstLogin] = useState(user?.isFirstLogin)
  if (!user?.isFirstLogin) return <Shell takesFocus={wasFirstLogin} />
  return (
    <Suspense fallback={<ScreenSpinner />}>
      <FirstPasswordPage />
    </Suspense>
  )
}
