import { z } from 'zod'
import { LinkToken } from './auth.ts'
import { Id, Nothing } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

/** Without a userId, the caller's own account. Another account requires the right to open it. */
const whose = z.strictObject({ userId: Id.optional() })
const managers = ['admin', 'reseller', 'manager'] as const
const byLink = z.object({ token: LinkToken })

export const accountAccessEndpoints = defineEndpoints({
  'emailChange.details': {
    route: 'POST /api/v1/auth/email-change/details',
    summary: 'The action of a link mailed about an e-mail address change; `gone` when it is no longer valid',
    roles: 'public',
    body: byLink,
    data: z.object({
      kind: z.enum(['confirm', 'refuse', 'undo', 'gone']),
      username: z.string().optional(),
      oldEmail: z.string().optional(),
      newEmail: z.string().optional(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'emailChange.confirm': {
    route: 'POST /api/v1/auth/email-change/confirm',
    summary: 'Confirm a new e-mail address with the mailed link',
    roles: 'public',
    body: byLink,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'emailChange.refuse': {
    route: 'POST /api/v1/auth/email-change/refuse',
    summary:
      'Cancel an e-mail address change with the link mailed to the old address. Within 24 hours after the change: undo it, end all sessions and mail a password reset link',
    roles: 'public',
    body: byLink,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'emailChange.resend': {
    route: 'POST /api/v1/auth/email-change/resend',
    summary: 'Resend the confirmation link to the new e-mail address',
    roles: anyRole,
    body: whose,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'emailChange.cancel': {
    route: 'POST /api/v1/auth/email-change/cancel',
    summary: 'Cancel a pending e-mail address change',
    roles: anyRole,
    body: whose,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'users.setOneTimePassword': {
    route: 'POST /api/v1/admin/user/{userId}/one-time-password',
    summary:
      'Set a one-time password for an account the caller may open. Valid for 24 hours; ends all sessions; must be changed at the first login',
    roles: ['admin', 'reseller'],
    path: z.object({ userId: Id }),
    answersSecret: true,
    data: z.object({ oneTimePassword: z.string(), expiresAt: z.string() }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'users.sendPasswordLink': {
    route: 'POST /api/v1/admin/user/{userId}/password-link',
    summary: 'Mail an account below a link that sets a new password; it works once, within 24 hours',
    roles: managers,
    path: z.object({ userId: Id }),
    /** `isMailed`: whether a mail server is configured. Without one the mail is not sent. */
    data: z.object({ email: z.string(), isMailed: z.boolean() }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'users.removeSecondFactor': {
    route: 'DELETE /api/v1/admin/user/{userId}/totp',
    summary: 'Turn off two-factor authentication of an account below; the owner is notified',
    roles: managers,
    path: z.object({ userId: Id }),
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'users.endSessions': {
    route: 'POST /api/v1/admin/user/{userId}/end-sessions',
    summary: 'End all sessions of an account below',
    roles: managers,
    path: z.object({ userId: Id }),
    data: z.object({ ended: z.number() }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
})
