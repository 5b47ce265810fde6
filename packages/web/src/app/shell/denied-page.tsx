import type { ReactNode } from 'react'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Page } from '../../ui/page.tsx'

/** Access denied: explains why and links to the overview. */
export function DeniedPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title}>
      <Denied
        actions={
          <Button asChild>
            <AreaLink to="">Back to overview</AreaLink>
          </Button>
        }
      >
        {children}
      </Denied>
    </Page>
  )
}
