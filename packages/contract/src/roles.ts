import { z } from 'zod'

/** The five kinds of login. Stored as `department_head`; `department-head` is accepted at the edge and used in addresses. */
export const Role = z.enum(['admin', 'reseller', 'manager', 'user', 'department_head'])
export type Role = z.infer<typeof Role>

export const anyRole = ['admin', 'reseller', 'manager', 'user', 'department_head'] as const satisfies readonly Role[]

/** Parts of the product that an account's owner can switch off for it. */
export const Module = z.enum(['campaign', 'template', 'chat', 'api', 'agent'])
export type Module = z.infer<typeof Module>

/** Where each role lands after sign-in; also the prefix of every address of its area. */
export const landingPath: Record<Role, string> = {
  admin: '/admin',
  reseller: '/reseller',
  manager: '/organization',
  user: '/user',
  department_head: '/department-head',
}

/** A role as callers send it, in either spelling; read as it is stored. */
export const RoleInput = z
  .enum([...Role.options, 'department-head'])
  .transform((role): Role => (role === 'department-head' ? 'department_head' : role))

/** Reads either spelling of a role, undefined for anything else. */
export function parseRole(text: string): Role | undefined {
  return RoleInput.safeParse(text).data
}
