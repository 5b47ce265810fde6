import { z } from 'zod'
import { defineEndpoints } from './endpoint.ts'
import { Nothing } from './common.ts'
import { Role } from './roles.ts'

/** The signed-in user as the specification has it; `expiresAt` in Unix seconds. */
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
  })
  .refine((credentials) => credentials.email !== undefined || credentials.username !== undefined, {
    path: ['email'],
    message: 'Enter your email or username',
  })
export type Credentials = z.infer<typeof Credentials>

/** The first account of an installation; the token stands in the link that the program prints when it starts on an empty database. */
export const FirstAdmin = z.object({
  token: z.string().regex(/^[0-9a-f]{64}$/, 'This link is incomplete'),
  name: z.string().trim().min(1, 'Enter your name').max(120),
  username: z
    .string()
    .trim()
    .regex(/^[a-z\d][a-z\d._-]{2,39}$/i, 'A username has 3 to 40 letters, digits, dots or dashes'),
  email: z.email('Enter an e-mail address').max(254),
  password: z.string().min(15, 'A password has at least 15 characters').max(128),
})
export type FirstAdmin = z.infer<typeof FirstAdmin>

export const authEndpoints = defineEndpoints({
  'auth.login': {
    route: 'POST /api/v1/auth/login',
    summary: 'Sign in with an e-mail address or a username',
    roles: 'public',
    body: Credentials,
    data: AuthenticatedUser,
    top: true,
    fallback: 'Login failed',
  },
  'auth.logout': {
    route: 'POST /api/v1/auth/logout',
    summary: 'End the session of the token',
    roles: 'session',
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
    data: z.object({ ticket: z.string() }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
