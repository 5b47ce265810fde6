import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Page } from '../../ui/page.tsx'
import { NotFound } from '../not-found-page.tsx'
import { screens } from '../routes.tsx'
import { useAreaPath } from './use-area-path.ts'

/** An address of the area that is no screen of its role: closed if other roles have it, otherwise not there. */
export function Elsewhere() {
  const path = useAreaPath()
  const screen = screens.find((candidate) => candidate.path === path)
  if (!screen) return <NotFound />
  return (
    <Page title={screen.title}>
      <Denied
        actions={
          <Button asChild>
            <AreaLink to="">Back to overview</AreaLink>
          </Button>
        }
      >
        Your role does not include this page. Ask your account manager.
      </Denied>
    </Page>
  )
}
