import { randomInt } from 'node:crypto'
import type { SecretBox, SecretPlace } from '../../lib/secrets.ts'

/** Without characters that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz'
const digits = '23456789'
const passwordAlphabet = `${letters}${letters.toUpperCase()}${digits}`

/** The fields of a bind hold 15 and 8 characters. */
export const newSystemId = () => `c${randomText(`${letters}${digits}`, 11)}`
export const newPassword = () => randomText(passwordAlphabet, 8)

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

export type CredentialKey = { organizationId: string; id: string }

const placeOf = ({ organizationId, id }: CredentialKey): SecretPlace => ({
  table: 'smpp_credentials',
  organizationId,
  id,
})

/** A password is short, so its hash needs the installation's key. */
export function hashPassword(secretBox: SecretBox, key: CredentialKey, password: string): Buffer {
  return secretBox.hash(password, placeOf(key))
}

export function isPassword(
  secretBox: SecretBox,
  { hash, ...key }: CredentialKey & { hash: Buffer },
  password: string,
): boolean {
  return secretBox.isHashOf(hash, password, placeOf(key))
}
