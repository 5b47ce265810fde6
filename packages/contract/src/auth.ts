import { z } from 'zod'
import { defineEndpoints } from './endpoint.ts'
import { Email, Username } from './accounts.ts'
import { Id, Name, Nothing } from './common.ts'
import { Role } from './roles.ts'

/** The signed-in user as specified; `expiresAt` in Unix seconds. */
export const AuthenticatedUser = z.object({
  token: z.string(),
  type: Role,
  username: z.string(),
  email: z.string(),
  expiresAt: z.number().int(),
  isFirstLogin: z.boolean(),
})
export type AuthenticatedUser = z.infer<typeof AuthenticatedUser>

export const Credentials = z
  .object({
    email: z.string().trim().min(1).max(254).optional(),
    username: z.string().trim().min(1).max(254).optional(),
    password: z.string().min(1, 'Enter your password').max(128),
    /** Six-digit code or recovery code, if two-factor authentication is on. */
    code: z.string().trim().max(32).optional(),
  })
  .refine((credentials) => credentials.email !== undefined || credentials.username !== undefined, {
    path: ['email'],
    message: 'Enter your email or username',
  })
export type Credentials = z.infer<typeof Credentials>

/** A token in a link. Hexadecimal, so that no link matches the route-safety rule. */
export const LinkToken = z.string().regex(/^[0-9a-f]{64}$/, 'This link is incomplete')

/** Minimum length instead of composition rules: 8 characters, or 15 for accounts that manage others without two-factor authentication. */
export const Password = z.string().min(8, 'A password has at least 8 characters').max(128)

/** The first account of an installation. The server prints a link with the token when it starts on an empty database. */
export const FirstAdmin = z.object({
  token: LinkToken,
  name: Name,
  username: Username,
  email: Email,
  password: z.string().min(15, 'A password has at least 15 characters').max(128),
})
export type FirstAdmin = z.infer<typeof FirstAdmin>

export const SessionRecord = z.object({
  _id: Id,
  isCurrent: z.boolean(),
  /** The name of the impersonating account. */
  openedBy: z.string().optional(),
  ip: z.string().optional(),
  device: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
})
export type SessionRecord = z.infer<typeof SessionRecord>

/** Data for the tab that opens for an impersonation. */
export const Impersonation = z.object({
  impersonatedUser: AuthenticatedUser,
  impersonationMode: z.literal(true),
  impersonatedBy: z.string(),
  /** In place of the admin's token that the specification describes. It can only end this impersonation. */
  exitToken: z.string(),
})
export type Impersonation = z.infer<typeof Impersonation>

const impersonationBody = z.object({ userId: Id, reason: z.string().trim().max(300).default('') })

export const authEndpoints = defineEndpoints({
  'auth.login': {
    route: 'POST /api/v1/auth/login',
    summary: 'Sign in with an e-mail address or a username',
    roles: 'public',
    body: Credentials,
    onLowDisk: 'accept',
    data: AuthenticatedUser,
    top: true,
    answersSecret: true,
    fallback: 'Login failed',
  },
  'auth.logout': {
    route: 'POST /api/v1/auth/logout',
    summary: 'End the session of the token',
    roles: 'session',
    onLowDisk: 'accept',
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'auth.firstAdmin': {
    route: 'POST /api/v1/auth/first-admin',
    summary: 'Create the first admin of an empty installation, once',
    roles: 'public',
    body: FirstAdmin,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'realtime.ticket': {
    route: 'POST /api/realtime/ticket',
    summary: 'A single-use ticket, valid for 30 seconds, that opens the socket instead of the session token',
    roles: 'session',
    onLowDisk: 'accept',
    data: z.object({ ticket: z.string() }),
    answersSecret: true,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'auth.sendResetLink': {
    route: 'POST /api/auth/send-reset-link',
    summary: 'Mail a password reset link; the response is the same whether or not the address is known',
    roles: 'public',
    body: z.object({ email: Email }),
    /** `canMail`: whether a mail server is configured. Without one no link is sent. */
    data: z.object({ canMail: z.boolean() }),
    fallback: 'An unexpected error occurred',
  },
  'auth.reportIncident': {
    route: 'POST /api/v1/security/incidents',
    summary: 'Log a suspicious URL blocked by the browser; at most 20 per client in 15 minutes',
    roles: 'public',
    body: z.object({ address: z.string().max(4000) }),
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'auth.resetPassword': {
    route: 'POST /api/auth/reset-password',
    summary: 'Set a new password with the link’s token; all sessions of the account end',
    roles: 'public',
    body: z.object({ newPassword: Password, token: LinkToken }),
    data: Nothing,
    fallback: 'Failed to reset password',
  },
  'auth.changePassword': {
    route: 'POST /api/v1/auth/change-password',
    summary: 'Change the caller’s password; at the first login, the temporary one',
    roles: 'session',
    body: z.object({ currentPassword: z.string().min(1, 'Enter your password').max(128), newPassword: Password }),
    data: AuthenticatedUser,
    answersSecret: true,
    fallback: 'Failed to reset password',
    impersonation: false,
    addition: true,
  },
  'auth.impersonate': {
    route: 'POST /api/v1/auth/admin-impersonate',
    summary: 'Impersonate an account below',
    roles: ['admin'],
    body: impersonationBody,
    data: Impersonation,
    answersSecret: true,
    fallback: 'Impersonation failed',
    impersonation: false,
  },
  'auth.resellerImpersonate': {
    route: 'POST /api/v1/auth/reseller-impersonate',
    summary: 'Impersonate an account below; resellers need the right',
    roles: ['reseller'],
    body: impersonationBody,
    data: Impersonation,
    answersSecret: true,
    fallback: 'Impersonation failed',
    impersonation: false,
    addition: true,
  },
  'auth.exitImpersonation': {
    route: 'POST /api/v1/auth/exit-impersonation',
    summary: 'End an impersonation by its exit token',
    roles: 'public',
    body: z.object({ exitToken: LinkToken }),
    onLowDisk: 'accept',
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'sessions.list': {
    route: 'GET /api/v1/auth/sessions',
    summary: 'The caller’s active sessions',
    roles: 'session',
    data: z.object({ sessions: z.array(SessionRecord) }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'sessions.end': {
    route: 'DELETE /api/v1/auth/sessions/{id}',
    summary: 'End one of the caller’s sessions',
    roles: 'session',
    path: z.object({ id: Id }),
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'sessions.endOthers': {
    route: 'POST /api/v1/auth/sessions/end-others',
    summary: 'End all sessions of the caller except this one',
    roles: 'session',
    onLowDisk: 'accept',
    data: z.object({ ended: z.number() }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'totp.begin': {
    route: 'POST /api/v1/auth/totp',
    summary: 'Start two-factor setup: returns the secret as text and as an otpauth URL',
    roles: 'session',
    body: z.object({ currentPassword: z.string().min(1, 'Enter your password').max(128) }),
    data: z.object({ secret: z.string(), uri: z.string() }),
    answersSecret: true,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'totp.confirm': {
    route: 'POST /api/v1/auth/totp/confirm',
    summary: 'Confirm two-factor setup with a code; returns the recovery codes once',
    roles: 'session',
    body: z.object({
      code: z
        .string()
        .trim()
        .regex(/^\d{6}$/, 'Enter the 6-digit code'),
    }),
    data: z.object({ recoveryCodes: z.array(z.string()) }),
    answersSecret: true,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'totp.remove': {
    route: 'POST /api/v1/auth/totp/remove',
    summary: 'Turn off two-factor authentication',
    roles: 'session',
    body: z.object({ currentPassword: z.string().min(1, 'Enter your password').max(128) }),
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
})
