import type { ReactNode } from 'react'
import { useUser } from '../../lib/session.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AfterDelay } from '../../ui/skeleton.tsx'
import { screens } from '../routes.tsx'
import { ScreenSpinner } from '../screen-spinner.tsx'
import { DeniedPage } from './denied-page.tsx'
import { useAreaPath } from './use-area-path.ts'

/**
 * A screen of a module that the account may not use is not opened, even by URL; nothing is requested before the modules are
 * known.
 */
export function Permitted({ children }: { children: ReactNode }) {
  const path = useAreaPath()
  const user = useUser()
  const screen = screens.find((candidate) => candidate.path === path && user && candidate.roles.includes(user.type))
  const isIncluded = useIncluded(screen?.module)
  if (isIncluded === undefined) return <Waiting />
  if (!screen || isIncluded) return children
  return <DeniedPage title={screen.title}>Ask your account manager to turn on this module for you.</DeniedPage>
}

function Waiting() {
  return (
    <AfterDelay>
      <ScreenSpinner />
    </AfterDelay>
  )
}
