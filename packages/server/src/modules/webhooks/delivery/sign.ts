import { createHmac, createPrivateKey, sign } from 'node:crypto'
import type { WebhookSecrets } from '../secrets.ts'

/** The value of `webhook-signature` for this content: a signature of each secret, separated by spaces. */
export type Signer = (content: string) => string

/** With the previous secret, both sign. */
export function createSigner({ current, previous }: WebhookSecrets): Signer {
  const signers = [current, ...(previous === undefined ? [] : [previous])].map(signerOf)
  return (content) => signers.map((signer) => signer(content)).join(' ')
}

function signerOf(secret: string): Signer {
  const [, prefix, encoded = ''] = /^(whsec|whsk)_(.+)$/.exec(secret) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  if (prefix === 'whsec') return (content) => `v1,${createHmac('sha256', bytes).update(content).digest('base64')}`
  if (prefix !== 'whsk') throw new Error('A secret begins with whsec_ or whsk_')
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, bytes.subarray(0, 32)]), format: 'der', type: 'pkcs8' })
  return (content) => `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`
}

/** What precedes the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The header `webhook-id`. It contains no full stop, because full stops separate the parts that are signed. */
export function webhookIdOf(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll('-', '')}`
}

type Signed = { deliveryId: string; at: Date; body: string }

/** The headers of one attempt. Each attempt has its own timestamp. */
export function signedHeaders(signer: Signer, { deliveryId, at, body }: Signed): Record<string, string> {
  const id = webhookIdOf(deliveryId)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signer(`${id}.${timestamp}.${body}`),
  }
}
