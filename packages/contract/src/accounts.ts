import { z } from 'zod'
import { Id } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole, Module, Role } from './roles.ts'

export const Profile = z.object({
  _id: Id,
  username: z.string(),
  email: z.string(),
  name: z.string(),
  type: Role,
  /** The organisation the account belongs to; the account's own name above organisations. */
  organization: z.string(),
  timezone: z.string(),
  createdAt: z.string(),
})
export type Profile = z.infer<typeof Profile>

export const ModulePermission = z.object({ moduleName: Module })

export const accountEndpoints = defineEndpoints({
  'profile.details': {
    route: 'GET /api/v1/profile/details',
    summary: 'The signed-in account',
    roles: anyRole,
    data: Profile,
    fallback: 'An unexpected error occurred',
  },
  'permissions.list': {
    route: 'GET /api/admin/user-permissions',
    summary: 'The modules an account may use; its own when no userId is given',
    roles: anyRole,
    query: z.object({ userId: Id.optional() }),
    data: z.object({ modulePermissions: z.array(ModulePermission) }),
    top: true,
    fallback: 'An unexpected error occurred',
  },
})
