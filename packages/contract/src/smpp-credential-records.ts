import { z } from 'zod'
import { ApiEnvironment, IpAllowlist } from './api-key-records.ts'
import { Id } from './common.ts'

/** Credentials of an API key that are not deactivated. */
export const maximumSmppCredentials = 20
export const maximumSmppSessions = 10
export const defaultSmppSessions = 2

export const SmppCredential = z.object({
  id: Id,
  systemId: z.string(),
  /** Sessions act as this key: its owner, environment, config and limits. */
  apiKeyId: Id,
  environment: ApiEnvironment,
  addresses: z.array(z.string()),
  maximumSessions: z.int(),
  /** Bound now, in all processes. */
  sessions: z.int(),
  /** Receipts that no receiver has confirmed. */
  receiptsWaiting: z.int(),
  createdBy: z.object({ _id: Id, name: z.string() }),
  /** Only owners change their credentials. Accounts above them can deactivate them. */
  isOwn: z.boolean(),
  createdAt: z.string(),
  lastBoundAt: z.string().nullable(),
  deactivatedAt: z.string().nullable(),
})
export type SmppCredential = z.infer<typeof SmppCredential>

/** `password` is shown once. */
export const NewSmppCredential = SmppCredential.extend({ password: z.string() })

/** Where customers connect. */
export const SmppService = z.object({ host: z.string(), port: z.int() })

export const SmppCredentialInput = z.strictObject({
  addresses: IpAllowlist.min(1, 'Enter at least one address or network'),
  maximumSessions: z.int().min(1).max(maximumSmppSessions, `Enter ${maximumSmppSessions} sessions at most`),
})
