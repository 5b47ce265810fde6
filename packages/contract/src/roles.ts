import { z } from 'zod'

/** The five roles. Stored as `department_head`; `department-head` is accepted in requests and used in URLs. */
export const Role = z.enum(['admin', 'reseller', 'manager', 'user', 'department_head'])
export type Role = z.infer<typeof Role>

export const anyRole = ['admin', 'reseller', 'manager', 'user', 'department_head'] as const satisfies readonly Role[]

/** Modules that can be enabled or disabled per account. */
export const Module = z.enum(['campaign', 'template', 'chat', 'api', 'agent'])
export type Module = z.infer<typeof Module>

/** Landing path of each role after sign-in; also the URL prefix of its area. */
export const landingPath: Record<Role, string> = {
  admin: '/admin',
  reseller: '/reseller',
  manager: '/organization',
  user: '/user',
  department_head: '/department-head',
}

/** Accepts either spelling of a role and returns the stored one. */
export const RoleInput = z
  .enum([...Role.options, 'department-head'])
  .transform((role): Role => (role === 'department-head' ? 'department_head' : role))

/** Parses either spelling of a role; undefined for anything else. */
export function parseRole(text: string): Role | undefined {
  return RoleInput.safeParse(text).data
}
