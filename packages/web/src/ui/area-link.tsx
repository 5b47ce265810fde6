import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { areaPrefix } from '../lib/areas.ts'
import { useUser } from '../lib/session.ts'
import type { Search } from '../lib/url-state.ts'

type AreaLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path inside the reader's own area, such as `campaigns`; empty for its front page. */
  to: string
  /** The screen's state, from `writeView`. */
  search?: Search
}

/** The current place is marked by whoever draws the navigation. */
const inherit = {}

/** A link inside the area of whoever reads it: the same screen has another address for each role. */
export function AreaLink({ to, search, children, ...rest }: AreaLinkProps) {
  const address = useAreaAddress()(to)
  // The router types its links by a registered route tree; ours shares one table between five areas, so addresses are texts.
  const target = { ...rest, to: address, search: search ?? {} } as { to: string }
  return (
    <Link {...target} activeProps={inherit} inactiveProps={inherit}>
      {children}
    </Link>
  )
}

/** Turns a path inside the area into a whole one, for `navigate`. */
export function useAreaAddress(): (to: string) => string {
  const user = useUser()
  const prefix = user ? areaPrefix[user.type] : ''
  return (to) => (to ? `${prefix}/${to}` : prefix || '/')
}
