import type { Role } from '@carillon/contract/roles'

/** Where each role lands, and the prefix of every address of its area; held against the contract by a test. */
export const areaPrefix: Record<Role, string> = {
  admin: '/admin',
  reseller: '/reseller',
  manager: '/organization',
  user: '/user',
  department_head: '/department-head',
}

const publicPaths = new Set(['/', '/register', '/forget-password', '/reset-password'])

/** The role whose area a path is in; undefined for paths that are open to all. */
export function areaOf(pathname: string): Role | undefined {
  const roles = Object.entries(areaPrefix).find(
    ([, prefix]) => pathname === prefix || pathname.startsWith(`${prefix}/`),
  )
  // The keys of the table are the roles.
  return roles?.[0] as Role | undefined
}

export function isPublic(pathname: string): boolean {
  return publicPaths.has(pathname) || areaOf(pathname) === undefined
}
