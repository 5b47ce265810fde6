import type { ReactNode } from 'react'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Page } from '../../ui/page.tsx'
import { screens } from '../routes.tsx'
import { useModules } from './use-account.ts'
import { useAreaPath } from './use-area-path.ts'

/** A screen of a module that the account may not use stays closed, also to whoever typed its address. */
export function Permitted({ children }: { children: ReactNode }) {
  const path = useAreaPath()
  const isPermitted = useModules()
  const screen = screens.find((candidate) => candidate.path === path)
  if (!screen || isPermitted(screen.module)) return children
  return (
    <Page title={screen.title}>
      <Denied
        actions={
          <Button asChild>
            <AreaLink to="">Back to overview</AreaLink>
          </Button>
        }
      >
        Ask your account manager to turn on this module for you.
      </Denied>
    </Page>
  )
}
