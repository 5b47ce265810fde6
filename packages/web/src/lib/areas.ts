import type { Role } from '@carillon/contract/roles'

/** Landing path of each role, and the URL prefix of its area; a test compares it with the contract. */
export const areaPrefix: Record<Role, string> = {
  admin: '/admin',
  reseller: '/reseller',
  manager: '/organization',
  user: '/user',
  department_head: '/department-head',
}

const publicPaths = new Set(['/', '/register', '/forget-password', '/reset-password'])

/** The role whose area contains the path; undefined for paths open to all. */
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
