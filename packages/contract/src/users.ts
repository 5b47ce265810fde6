import { z } from 'zod'
import { AccountStatus, Email, PendingEmail, Username } from './accounts.ts'
import { LinkToken, Password } from './auth.ts'
import { Amount, amountNeeded } from './billing.ts'
import { Channel } from './channels.ts'
import { Id, Name, Nothing, PhoneNumber, Rupees, TimeZone } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { LimitKey } from './limits.ts'
import { PageQuery } from './paging.ts'
import { anyRole, Module, Role, RoleInput } from './roles.ts'

/**
 * A self-registration, or an account created by the account above. Self-registrations always get the lowest rights: `type`, `modules`, `balance` and
 * `parentId` count only for accounts created from above.
 */
export const Registration = z.object({
  organization: Name.optional(),
  name: Name,
  email: Email,
  username: Username.optional(),
  phone: z.union([PhoneNumber, z.literal('')]).optional(),
  /** Omitted by an account above: the owner sets it with the mailed link. */
  password: Password.optional(),
  timezone: TimeZone.optional(),
  type: RoleInput.optional(),
  parentId: Id.optional(),
  modules: z.array(Module).max(20).optional(),
  /** Rupees moved to the new account on creation. */
  balance: z
    .number(amountNeeded)
    .refine((amount) => amount === 0 || Amount.safeParse(amount).success, amountNeeded)
    .optional(),
  /** For users and department heads: a separate balance instead of the organisation's. */
  ownBalance: z.boolean().optional(),
})
export type Registration = z.infer<typeof Registration>

export const Registered = z.object({
  _id: Id,
  type: Role,
  username: z.string(),
  email: z.string(),
  /** `pending` until approved by the account above. */
  status: z.enum(['active', 'pending']),
  /** Temporary password, returned once, if none was chosen and no mail can be sent. */
  temporaryPassword: z.string().optional(),
})
export type Registered = z.infer<typeof Registered>

export const Invitation = z.object({
  _id: Id,
  email: z.string(),
  type: Role,
  modules: z.array(Module),
  status: z.enum(['open', 'accepted', 'revoked', 'expired']),
  invitedBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

/** An account as shown to accounts above it. */
export const ManagedUser = z.object({
  _id: Id,
  username: z.string(),
  email: z.string(),
  pendingEmail: PendingEmail.optional(),
  name: z.string(),
  phone: z.string().optional(),
  type: Role,
  status: AccountStatus,
  isFirstLogin: z.boolean(),
  organization: z.string(),
  parentId: Id.optional(),
  parentName: z.string().optional(),
  aboveIds: z.array(Id),
  /** In rupees, excluding holds; absent if it uses its organisation's balance. */
  balance: Rupees.optional(),
  /** Effective modules: granted to the account and to every account above it in its organisation. */
  modules: z.array(Module),
  /** Granted modules, effective or not. */
  grantedModules: z.array(Module),
  channels: z.array(Channel),
  /** Number of accounts below it. */
  accountCount: z.number(),
  /** Spend of the account and all accounts below it in the last seven days. */
  spentLast7Days: Rupees,
  createdAt: z.string(),
  lastActiveAt: z.string().optional(),
  hasSecondFactor: z.boolean(),
  /** Whether the caller may impersonate it, change its e-mail address and set a one-time password. */
  mayOpen: z.boolean(),
})
export type ManagedUser = z.infer<typeof ManagedUser>

/** An effective limit: the account's own, else the nearest above; `used` is its current usage. */
export const AccountLimit = z.object({
  key: LimitKey,
  label: z.string(),
  unit: z.string(),
  /** Null: no limit. */
  limit: z.number().nullable(),
  /** Maximum allowed by the account above; null: no maximum. */
  maximum: z.number().nullable(),
  used: z.number(),
  isOwn: z.boolean(),
})
export type AccountLimit = z.infer<typeof AccountLimit>

/** Self-registration settings. */
export const SignUpSettings = z.object({
  allowRegistration: z.boolean(),
  /** False: every registration needs approval. */
  autoApprove: z.boolean(),
  defaultModules: z.array(Module),
  /** Whether a reseller may impersonate accounts below it; set by the account above. */
  mayImpersonate: z.boolean(),
})
export type SignUpSettings = z.infer<typeof SignUpSettings>

/** `link` is present if no mail server is configured, to be shared manually. */
const SentInvitation = Invitation.extend({ link: z.string().optional() })

const userPath = z.object({ userId: Id })

export const usersEndpoints = defineEndpoints({
  'auth.register': {
    route: 'POST /api/v1/auth/register',
    summary: 'Create an account below the caller’s',
    roles: ['admin', 'reseller', 'manager'],
    body: Registration,
    data: Registered,
    answersSecret: true,
    fallback: 'An unexpected error occurred',
    impersonation: false,
  },
  'auth.registerDefault': {
    route: 'POST /api/v1/auth/register-defualt',
    summary: 'Self-registration, with the lowest rights',
    roles: 'public',
    body: Registration.extend({ password: Password }),
    data: Registered,
    answersSecret: true,
    fallback: 'An unexpected error occurred',
  },
  'auth.registration': {
    route: 'POST /api/v1/auth/registration',
    summary: 'The purpose of a registration link: first admin, invitation or self-registration',
    roles: 'public',
    body: z.object({ token: LinkToken.optional() }),
    data: z.object({
      kind: z.enum(['open', 'closed', 'first_admin', 'invitation']),
      email: z.string().optional(),
      organization: z.string().optional(),
      type: Role.optional(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'invitations.create': {
    route: 'POST /api/v1/auth/invitations',
    summary: 'Invite a person by mail to an account below the caller’s',
    roles: ['admin', 'reseller', 'manager'],
    body: z.strictObject({
      email: Email,
      type: RoleInput,
      modules: z.array(Module).max(20),
      ownBalance: z.boolean().default(false),
      parentId: Id.optional(),
    }),
    data: SentInvitation,
    answersSecret: true,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'invitations.list': {
    route: 'GET /api/v1/auth/invitations',
    summary: 'Invitations to accounts below, newest first',
    roles: ['admin', 'reseller', 'manager'],
    query: PageQuery,
    data: z.object({
      invitations: z.array(Invitation),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'invitations.revoke': {
    route: 'DELETE /api/v1/auth/invitations/{id}',
    summary: 'Revoke a pending invitation',
    roles: ['admin', 'reseller', 'manager'],
    path: z.object({ id: Id }),
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'invitations.resend': {
    route: 'POST /api/v1/auth/invitations/{id}/resend',
    summary: 'Resend an invitation with a new link, valid for seven days; the previous link stops working',
    roles: ['admin', 'reseller', 'manager'],
    path: z.object({ id: Id }),
    data: SentInvitation,
    answersSecret: true,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'invitations.accept': {
    route: 'POST /api/v1/auth/invitations/accept',
    summary: 'Create the account of an invitation; the link works once',
    roles: 'public',
    body: z.object({
      token: LinkToken,
      name: Name,
      username: Username,
      password: Password,
      organization: Name.optional(),
    }),
    data: Registered,
    answersSecret: true,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'users.list': {
    route: 'GET /api/admin/users',
    summary: 'The accounts below an account, its own when no userId is given',
    roles: ['admin', 'reseller', 'manager'],
    query: PageQuery.extend({
      userId: Id.optional(),
      search: z.string().trim().max(80).optional(),
      type: z.string().max(80).optional(),
      status: AccountStatus.optional(),
      module: Module.optional(),
      lowBalance: z.enum(['true', 'false']).optional(),
      /** Filters accounts with a separate balance, or without one. */
      ownBalance: z.enum(['true', 'false']).optional(),
      /** Only direct children. */
      direct: z.enum(['true', 'false']).optional(),
      sort: z.enum(['created', 'name', 'balance', 'active']).default('created'),
      direction: z.enum(['asc', 'desc']).default('desc'),
    }),
    data: z.object({
      userType: Role,
      count: z.number(),
      users: z.array(ManagedUser),
      /** The caller's available balance. */
      balance: Rupees,
      totalPages: z.number(),
      page: z.number(),
      limit: z.number(),
    }),
    top: true,
    fallback: 'Failed to fetch users',
  },
  'users.get': {
    route: 'GET /api/admin/users/{userId}',
    summary: 'One account below, with its limits and possible parents',
    roles: ['admin', 'reseller', 'manager'],
    path: userPath,
    data: ManagedUser.extend({
      timezone: z.string(),
      limits: z.array(AccountLimit),
      /** Number of accounts below it, not closed, that use each module. */
      moduleUsers: z.partialRecord(Module, z.number()),
      /** Accounts it can be moved to. */
      possibleParents: z.array(z.object({ _id: Id, name: z.string(), type: Role })),
    }),
    fallback: 'Failed to fetch users',
    addition: true,
  },
  'users.update': {
    route: 'PUT /api/v1/admin/user',
    summary:
      'Change the details of an account below; never its type, place or balance. Changing the e-mail address requires the right to open the account and takes effect once confirmed by mail',
    roles: anyRole,
    body: z.strictObject({
      userId: Id,
      name: Name.optional(),
      username: Username.optional(),
      email: Email.optional(),
      phone: z.union([PhoneNumber, z.literal('')]).optional(),
      timezone: TimeZone.optional(),
    }),
    data: ManagedUser,
    fallback: 'An unexpected error occurred',
    impersonation: false,
  },
  'users.setStatus': {
    route: 'PUT /api/v1/admin/user/{userId}/status',
    summary: 'Accept, suspend, lock, reactivate or close an account below; effective within five seconds',
    roles: ['admin', 'reseller', 'manager'],
    path: userPath,
    body: z.strictObject({
      status: z.enum(['active', 'suspended', 'locked', 'closed']),
      reason: z.string().trim().max(300).default(''),
      /** For an accepted registration: its type and modules. */
      type: z.enum(['manager', 'user']).optional(),
      modules: z.array(Module).max(20).optional(),
    }),
    onLowDisk: 'accept',
    data: ManagedUser,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'users.move': {
    route: 'PUT /api/v1/admin/user/{userId}/parent',
    summary: 'Move an account below another account in the caller’s subtree',
    roles: ['admin', 'reseller', 'manager'],
    path: userPath,
    body: z.strictObject({ parentId: Id }),
    data: ManagedUser,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'limits.list': {
    route: 'GET /api/admin/limits',
    summary: 'The limits and usage of an account; the caller’s when no userId is given',
    roles: anyRole,
    query: z.object({ userId: Id.optional() }),
    data: z.object({ limits: z.array(AccountLimit) }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'limits.set': {
    route: 'PUT /api/admin/limits',
    summary: 'Set limits of an account below, within the caller’s own; null removes a limit',
    roles: ['admin', 'reseller', 'manager'],
    body: z.strictObject({
      userId: Id,
      limits: z
        .array(z.object({ key: LimitKey, limit: z.number().int().min(0).max(1e12).nullable() }))
        .min(1)
        .max(30),
    }),
    data: z.object({ limits: z.array(AccountLimit) }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'signUp.get': {
    route: 'GET /api/admin/sign-up',
    summary: 'Registration settings for accounts below',
    roles: ['admin', 'reseller'],
    data: SignUpSettings,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'signUp.set': {
    route: 'PUT /api/admin/sign-up',
    summary: 'Update registration settings for accounts below',
    roles: ['admin', 'reseller'],
    body: SignUpSettings.omit({ mayImpersonate: true }),
    data: SignUpSettings,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'signUp.allowImpersonation': {
    route: 'PUT /api/admin/users/{userId}/impersonation',
    summary: 'Allow or forbid a reseller to open accounts below it',
    roles: ['admin'],
    path: userPath,
    body: z.strictObject({ mayImpersonate: z.boolean() }),
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'audit.list': {
    route: 'GET /api/admin/audit',
    summary: 'The audit log of the organisation, newest first',
    roles: ['admin', 'reseller', 'manager'],
    query: PageQuery.extend({ userId: Id.optional(), action: z.string().max(60).optional() }),
    data: z.object({
      entries: z.array(
        z.object({
          at: z.string(),
          actor: z.string(),
          /** The account changed, if not the actor's own. */
          subject: z.string().optional(),
          action: z.string(),
          objectType: z.string().optional(),
          objectId: z.string().optional(),
          details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
        }),
      ),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
