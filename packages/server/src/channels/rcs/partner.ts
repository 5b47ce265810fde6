import { z } from 'zod'

/** Hosts of the messaging API; capabilities in bulk are asked at the region of the numbers. */
export const rbmRegions = ['global', 'us', 'europe', 'asia'] as const
export type RbmRegion = (typeof rbmRegions)[number]

export const rbmScopes = {
  messaging: 'https://www.googleapis.com/auth/rcsbusinessmessaging',
  management: 'https://www.googleapis.com/auth/businesscommunications',
} as const

/** Under this key the installation's settings are stored, encrypted: `readInstallationSettings(rcsPartnerKey)`. */
export const rcsPartnerKey = 'rcs_partner'

const Url = z
  .string()
  .trim()
  .max(300)
  .regex(/^https?:\/\/[^\s?#]+$/i, 'Enter a URL starting with https:// or http://')
  .transform((url) => url.replace(/\/+$/, ''))

/** The key file of a service account at Google. Its other fields are not needed, and dropped. */
export const ServiceAccount = z.object({
  client_email: z.string().trim().min(3, 'The key file has no client_email').max(300),
  private_key: z
    .string()
    .max(10_000)
    .regex(/-----BEGIN (?:RSA )?PRIVATE KEY-----/, 'The key file has no private_key'),
  token_uri: Url.default('https://oauth2.googleapis.com/token'),
})

/**
 * This installation's partner account with Google. It belongs to the installation, never to an organisation: its service
 * account can send from all bots of the partner.
 */
export const RcsPartner = z.object({
  serviceAccount: ServiceAccount,
  /** URLs other than Google's, for the simulator and for proxies. The region follows `apiUrl`. */
  apiUrl: Url.optional(),
  regionalUrls: z.partialRecord(z.enum(rbmRegions), Url).optional(),
  managementUrl: Url.optional(),
})
export type RcsPartner = z.infer<typeof RcsPartner>

const host = 'rcsbusinessmessaging.googleapis.com'

const urlOfRegion: Record<RbmRegion, string> = {
  global: `https://${host}`,
  us: `https://us-${host}`,
  europe: `https://europe-${host}`,
  asia: `https://asia-${host}`,
}

/** Base URL of the messaging API, without the version. */
export function messagingUrl({ apiUrl, regionalUrls }: RcsPartner, region: RbmRegion): string {
  return regionalUrls?.[region] ?? (apiUrl === undefined ? urlOfRegion[region] : `${apiUrl}/${region}`)
}

/** Base URL of the API that manages brands, agents and testers, without the version. */
export function managementUrl(partner: RcsPartner): string {
  return partner.managementUrl ?? 'https://businesscommunications.googleapis.com'
}
