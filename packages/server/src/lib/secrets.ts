import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Encrypts provider secrets against theft of the database: AES-256-GCM with a random nonce. The record a ciphertext belongs
 * to is authenticated, so a ciphertext copied to another row or tenant does not decrypt.
 */
export type SecretBox = {
  seal(secrets: Record<string, string>, place: SecretPlace): Buffer
  /** Throws if the key or the record differs. */
  open(sealed: Buffer, place: SecretPlace): Record<string, string>
  /** A keyed hash of a short-lived secret with few possible values. It changes with the key. */
  hash(secret: string, place: SecretPlace): Buffer
  /** Whether the hash is that of the secret, with the current key or a previous one. */
  isHashOf(hash: Buffer, secret: string, place: SecretPlace): boolean
}

export type SecretPlace = { table: string; organizationId: string; id: string }

/** Layout: version, key id, nonce, tag, body. */
const version = 2
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const nonceStart = 1 + keyIdBytes
const tagStart = nonceStart + nonceBytes
const bodyStart = tagStart + tagBytes

/**
 * Keys are 64 hexadecimal digits, stored outside the database. A ciphertext names its key, so that data encrypted with
 * `previous` keys can still be decrypted.
 */
export function createSecretBox(key: string, previous: readonly string[] = []): SecretBox {
  const keys = [key, ...previous].map(readKey)
  const [current] = keys
  if (!current) throw new Error('There is no secret key')

  return {
    seal(secrets, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce).setAAD(aad(place))
      const body = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), current.id, nonce, cipher.getAuthTag(), body])
    },
    open(sealed, place) {
      if (sealed[0] !== version) throw new Error('These secrets were encrypted by another version')
      const sealedWith = keys.find(({ id }) => id.equals(sealed.subarray(1, nonceStart)))
      if (!sealedWith) throw new Error('These secrets were encrypted with a key that is not configured')
      const decipher = createDecipheriv('aes-256-gcm', sealedWith.bytes, sealed.subarray(nonceStart, tagStart))
      decipher.setAAD(aad(place)).setAuthTag(sealed.subarray(tagStart, bodyStart))
      const text = Buffer.concat([decipher.update(sealed.subarray(bodyStart)), decipher.final()]).toString('utf8')
      // Only `seal` writes here.
      return JSON.parse(text) as Record<string, string>
    },
    hash: (secret, place) => hashWith(current, secret, place),
    isHashOf: (hash, secret, place) => keys.some((each) => isEqual(hash, hashWith(each, secret, place))),
  }
}

function hashWith({ bytes }: { bytes: Buffer }, secret: string, place: SecretPlace): Buffer {
  return createHmac('sha256', bytes).update(aad(place)).update(`|${secret}`).digest()
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

function readKey(key: string): { bytes: Buffer; id: Buffer } {
  const bytes = Buffer.from(key, 'hex')
  if (bytes.length !== 32) throw new Error('The secret key must be 64 hexadecimal digits')
  return { bytes, id: createHash('sha256').update('key id').update(bytes).digest().subarray(0, keyIdBytes) }
}

function aad({ table, organizationId, id }: SecretPlace): Buffer {
  return Buffer.from(`${table}|${organizationId}|${id}`)
}
