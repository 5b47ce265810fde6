import { z } from 'zod'
import { ApiScope } from './api-scopes.ts'
import { Id, Instant, Name } from './common.ts'

/** What `test` keys send goes to the sandbox; live data they only read. */
export const ApiEnvironment = z.enum(['test', 'live'])
export type ApiEnvironment = z.infer<typeof ApiEnvironment>

/** `expiring`: expires within 14 days. */
export const ApiKeyStatus = z.enum(['active', 'expiring', 'expired', 'deactivated'])
export type ApiKeyStatus = z.infer<typeof ApiKeyStatus>

/** Maximum number of keys of an account that are not deactivated. */
export const maximumApiKeys = 100
/** How long the previous secret of a regenerated key may stay valid. */
export const defaultGraceHours = 24
export const maximumGraceHours = 7 * 24

const networkFormats = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()])
const Network = z
  .string()
  .max(50)
  .refine(
    (text) => networkFormats.safeParse(text).success,
    'Enter an address such as 203.0.113.7, or a network such as 203.0.113.0/24 or 2001:db8::/48',
  )

/** Addresses and networks from which a key can be used. Empty: any address. */
export const IpAllowlist = z.array(Network).max(100, 'Enter at most 100 addresses and networks')

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  environment: ApiEnvironment,
  /** The beginning of the key, which identifies it. */
  prefix: z.string(),
  /** The last characters of the key. */
  last4: z.string(),
  status: ApiKeyStatus,
  scopes: z.array(ApiScope),
  keyConfigId: Id.nullable(),
  ipAllowlist: z.array(z.string()),
  /** The owner: the key acts as this account. */
  createdBy: z.object({ _id: Id, name: z.string() }),
  /** Only owners change and regenerate their keys. Accounts above them can deactivate them. */
  isOwn: z.boolean(),
  createdAt: z.string(),
  /** These two lag behind by a few seconds. */
  lastUsedAt: z.string().nullable(),
  lastUsedIp: z.string().nullable(),
  expiresAt: z.string().nullable(),
  deactivatedAt: z.string().nullable(),
  regeneratedAt: z.string().nullable(),
  /** Until then the previous secret is valid as well. */
  graceUntil: z.string().nullable(),
  /** Calls, in days of the organisation's time zone. */
  usage: z.object({ today: z.number(), month: z.number() }),
})
export type ApiKey = z.infer<typeof ApiKey>

/** `secret` is the whole key. It is shown once. */
export const NewApiKey = ApiKey.extend({ secret: z.string() })

export const ApiKeyInput = z.strictObject({
  name: Name,
  scopes: z
    .array(ApiScope)
    .min(1, 'Choose at least one scope')
    .max(ApiScope.options.length)
    .refine(isUnique, 'Name each scope once'),
  keyConfigId: Id.nullable(),
  ipAllowlist: IpAllowlist,
  expiresAt: Instant.nullable(),
})
export type ApiKeyInput = z.infer<typeof ApiKeyInput>

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}

/** Why a key is not accepted. */
export const ApiKeyProblem = z.enum([
  'unknown',
  'revoked',
  'deactivated',
  'expired',
  'account_suspended',
  'module_missing',
  'ip_not_allowed',
  'scope_missing',
])
export type ApiKeyProblem = z.infer<typeof ApiKeyProblem>
