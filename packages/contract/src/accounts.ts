import { z } from 'zod'
import { Id, Name, PhoneNumber, TimeZone } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole, Module, Role } from './roles.ts'

/**
 * `pending`: needs approval by its parent. `suspended`: can sign in, cannot send. `locked`: cannot sign in. `closed`: permanently ended, with its
 * sessions and keys.
 */
export const AccountStatus = z.enum(['pending', 'active', 'suspended', 'locked', 'closed'])
export type AccountStatus = z.infer<typeof AccountStatus>

export const Username = z
  .string()
  .trim()
  .regex(/^[a-z\d][a-z\d._-]{2,39}$/i, 'A username has 3 to 40 letters, digits, dots or dashes')

export const Email = z.email('Enter an e-mail address').max(254)

/** Without defaults, which a change of one preference would otherwise apply to the others. */
const PreferenceChanges = z
  .object({
    sounds: z.boolean(),
    /** Browsers that allow it also show notifications on the desktop while the page is hidden. */
    desktopNotifications: z.boolean(),
    /** Incoming messages that notify the account: of all lines it sees, of its own conversations and mentions, or none. */
    chatNotifications: z.enum(['all', 'mine', 'none']),
    singleKeyShortcuts: z.boolean(),
    density: z.enum(['comfortable', 'compact']),
    /** Theme of phone previews: the page's, or a fixed one. */
    previewTheme: z.enum(['page', 'light', 'dark']),
    /** Event groups that are also sent by mail. */
    mailCampaigns: z.boolean(),
    mailBalance: z.boolean(),
    mailSupport: z.boolean(),
  })
  .partial()

const { shape } = PreferenceChanges

/** Browser preferences. Stored with the account, so that they apply on every device. */
export const Preferences = z.object({
  sounds: shape.sounds.unwrap().default(true),
  desktopNotifications: shape.desktopNotifications.unwrap().default(false),
  chatNotifications: shape.chatNotifications.unwrap().default('all'),
  singleKeyShortcuts: shape.singleKeyShortcuts.unwrap().default(true),
  density: shape.density.unwrap().default('comfortable'),
  previewTheme: shape.previewTheme.unwrap().default('page'),
  mailCampaigns: shape.mailCampaigns.unwrap().default(false),
  mailBalance: shape.mailBalance.unwrap().default(true),
  mailSupport: shape.mailSupport.unwrap().default(true),
})
export type Preferences = z.infer<typeof Preferences>

/** A new e-mail address pending confirmation by its owner; the current address stays valid until then. */
export const PendingEmail = z.object({ email: z.string(), expiresAt: z.string() })
export type PendingEmail = z.infer<typeof PendingEmail>

export const Profile = z.object({
  _id: Id,
  username: z.string(),
  email: z.string(),
  pendingEmail: PendingEmail.optional(),
  name: z.string(),
  phone: z.string().optional(),
  type: Role,
  status: AccountStatus,
  /** The organisation the account belongs to; the account's own name above organisations. */
  organization: z.string(),
  /** The account above, to contact for help. */
  accountManager: z.string().optional(),
  timezone: z.string(),
  preferences: Preferences,
  hasTotp: z.boolean(),
  /** True for admins and resellers without a second factor. */
  shouldAddTotp: z.boolean(),
  /** The account above that is impersonating this one, or was within the last day, and since when. */
  visitedBy: z.array(z.object({ name: z.string(), at: z.string(), endedAt: z.string().optional() })),
  createdAt: z.string(),
})
export type Profile = z.infer<typeof Profile>

export const ModulePermission = z.object({ moduleName: Module })

export const accountEndpoints = defineEndpoints({
  'profile.details': {
    route: 'GET /api/v1/profile/details',
    summary: 'The caller’s account',
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
  'permissions.grant': {
    route: 'POST /api/admin/grantPermission',
    summary:
      'Grant or revoke modules of an account below. Callers can grant only modules they have, and cannot change their own',
    roles: anyRole,
    body: z.object({
      userId: Id,
      modulePermissions: z
        .array(z.object({ moduleName: Module, granted: z.boolean() }))
        .min(1)
        .max(20),
    }),
    data: z.object({ modulePermissions: z.array(ModulePermission) }),
    top: true,
    fallback: 'An unexpected error occurred',
    impersonation: false,
  },
  'profile.update': {
    route: 'PUT /api/v1/profile/update',
    summary:
      'Update the caller’s profile. A new e-mail address requires the password and takes effect once confirmed by mail',
    roles: anyRole,
    body: z.strictObject({
      name: Name.optional(),
      phone: z.union([PhoneNumber, z.literal('')]).optional(),
      timezone: TimeZone.optional(),
      email: Email.optional(),
      currentPassword: z.string().max(128).optional(),
      preferences: PreferenceChanges.optional(),
    }),
    data: Profile,
    fallback: 'An unexpected error occurred',
  },
})
