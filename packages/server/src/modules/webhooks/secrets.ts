import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { WebhookSignature } from '@carillon/contract/webhook-records'
import type { SecretBox } from '../../lib/secrets.ts'

/** Of the scheme v1 a shared secret `whsec_…`, of v1a a private key `whsk_…`. */
export type WebhookSecrets = { current: string; previous?: string | undefined }

type Place = { organizationId: string; id: string }

const secretBytes = 32

/** A secret, and the public key that belongs to it. The private key of v1a never leaves the server. */
export function newSecret(signature: WebhookSignature): { secret: string; publicKey: string | null } {
  if (signature === 'v1') return { secret: `whsec_${randomBytes(secretBytes).toString('base64')}`, publicKey: null }
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, key] = [d, x].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer]
  return {
    secret: `whsk_${Buffer.concat([seed, key]).toString('base64')}`,
    publicKey: `whpk_${key.toString('base64')}`,
  }
}

export function sealSecrets(secretBox: SecretBox, place: Place, { current, previous }: WebhookSecrets): Buffer {
  return secretBox.seal({ current, ...(previous === undefined ? {} : { previous }) }, placeOf(place))
}

export function openSecrets(secretBox: SecretBox, place: Place, sealed: Buffer): WebhookSecrets {
  const { current, previous } = secretBox.open(sealed, placeOf(place))
  if (current === undefined) throw new Error('The endpoint has no secret')
  return { current, previous }
}

const placeOf = ({ organizationId, id }: Place) => ({ table: 'webhook_endpoints', organizationId, id })
