import { landingPath } from '@carillon/contract/roles'
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useUser } from '../lib/session.ts'

type AreaLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path inside the reader's own area, such as `campaigns`; empty for its front page. */
  to: string
  search?: Record<string, unknown>
}

/** A link inside the area of whoever reads it: the same screen has another address for each role. */
export function AreaLink({ to, search, ...rest }: AreaLinkProps) {
  const user = useUser()
  const prefix = user ? landingPath[user.type] : ''
  const address = to ? `${prefix}/${to}` : prefix
  return <Link {...rest} to={address} {...(search ? { search } : {})} />
}
