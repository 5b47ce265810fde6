import type { Role } from '@carillon/contract/roles'
import { badField, Problem } from '../../lib/problem.ts'

/** Roles that each role may create below itself. */
export const creatableRoles: Record<Role, readonly Role[]> = {
  admin: ['reseller', 'manager', 'user', 'department_head'],
  reseller: ['reseller', 'manager'],
  manager: ['user', 'department_head'],
  user: [],
  department_head: [],
}

/** Allowed parent roles. */
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

/** `isFounder`: a self-registered user with an organisation of their own. */
export function assertFits({ role, isFounder }: { role: Role; isFounder: boolean }, parent: Role): void {
  const above = isFounder ? parentRoles.manager : parentRoles[role]
  if (above.includes(parent)) return
  const names = above.map((name) => roleNames[name].replace(/^An? /, ''))
  throw badField(
    'parentId',
    `${roleNames[role]} is placed below ${names.map((name) => `a ${name}`.replace('a admin', 'an admin')).join(' or ')}`,
  )
}

/** Admins and resellers have every module; others only granted ones. */
export function usesEveryModule(role: Role): boolean {
  return role === 'admin' || role === 'reseller'
}
