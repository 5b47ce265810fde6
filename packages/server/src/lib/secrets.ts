import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Encrypts what must not be readable in a stolen database: AES-256-GCM, a random nonce each time. The place a ciphertext
 * belongs to is part of it, so that one moved to another row or tenant does not open there.
 */
export type SecretBox = {
  seal(secrets: Record<string, string>, place: SecretPlace): Buffer
  /** Throws when the key is another one, or the bytes belong elsewhere. */
  open(sealed: Buffer, place: SecretPlace): Record<string, string>
}

export type SecretPlace = { table: string; organizationId: string; id: string }

const version = 1
const nonceBytes = 12
const tagBytes = 16

/** `key` is 64 hexadecimal digits; it is kept outside the database. */
export function createSecretBox(key: string): SecretBox {
  const secretKey = Buffer.from(key, 'hex')
  if (secretKey.length !== 32) throw new Error('The secret key must be 64 hexadecimal digits')

  return {
    seal(secrets, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', secretKey, nonce).setAAD(aad(place))
      const body = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body])
    },
    open(sealed, place) {
      if (sealed[0] !== version) throw new Error('These secrets were sealed by another version')
      const nonce = sealed.subarray(1, 1 + nonceBytes)
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', secretKey, nonce).setAAD(aad(place)).setAuthTag(tag)
      const text = Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
      // Only `seal` writes here.
      return JSON.parse(text) as Record<string, string>
    },
  }
}

function aad({ table, organizationId, id }: SecretPlace): Buffer {
  return Buffer.from(`${table}|${organizationId}|${id}`)
}
