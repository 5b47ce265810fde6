import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { useUser } from '../../lib/session.ts'
import { useRecordName } from '../../lib/title.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { crumbsOf } from './navigation.ts'
import { useAreaPath } from './use-area-path.ts'

export function Breadcrumbs() {
  const user = useUser()
  const path = useAreaPath()
  const record = useRecordName()
  const named = user ? crumbsOf(path, user.type) : []
  const crumbs = record === undefined ? named : named.with(-1, { label: record })
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 max-md:hidden">
      <ol className="flex min-w-0 items-center gap-1.5 whitespace-nowrap text-muted-foreground">
        {crumbs.map((crumb, index) => (
          <Fragment key={crumb.label}>
            {index > 0 ? (
              <li aria-hidden>
                <ChevronRight className="size-3.5 opacity-70" />
              </li>
            ) : null}
            <li className="truncate">
              {crumb.path === undefined ? (
                <span aria-current="page" className="font-medium text-foreground">
                  {crumb.label}
                </span>
              ) : (
                <AreaLink to={crumb.path} className="hover:text-foreground">
                  {crumb.label}
                </AreaLink>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}
