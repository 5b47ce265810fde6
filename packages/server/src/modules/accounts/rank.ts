import type { Role } from '@carillon/contract/roles'
import { badField, Problem } from '../../lib/problem.ts'

/** Whom an account of each role may create below itself. */
export const creatableRoles: Record<Role, readonly Role[]> = {
  admin: ['reseller', 'manager', 'user', 'department_head'],
  reseller: ['reseller', 'manager'],
  manager: ['user', 'department_head'],
  user: [],
  department_head: [],
}

/** Below whom an account of each role stands. */
export const parentRoles: Record<Role, readonly Role[]> = {
  admin: [],
  reseller: ['admin', 'reseller'],
  manager: ['admin', 'reseller'],
  department_head: ['manager'],
  user: ['manager', 'department_head'],
}

const roleNames: Record<Role, string> = {
  admin: 'An admin',
  reseller: 'A reseller',
  manager: 'A manager',
  user: 'A user',
  department_head: 'A department head',
}

export function assertMayCreate(creator: Role, role: Role): void {
  if (!creatableRoles[creator].includes(role))
    throw new Problem('forbidden', `${roleNames[role]} cannot be created by this account`)
}

/** `isFounder`: somebody who registered by himself and has an organisation of his own, whatever his role. */
export function assertFits({ role, isFounder }: { role: Role; isFounder: boolean }, parent: Role): void {
  const above = isFounder ? parentRoles.manager : parentRoles[role]
  if (above.includes(parent)) return
  const names = above.map((name) => roleNames[name].replace(/^An? /, ''))
  throw badField(
    'parentId',
    `${roleNames[role]} is placed below ${names.map((name) => `a ${name}`.replace('a admin', 'an admin')).join(' or ')}`,
  )
}

/** Admins and resellers use every module; the others what they were given. */
export function usesEveryModule(role: Role): boolean {
  return role === 'admin' || role === 'reseller'
}
