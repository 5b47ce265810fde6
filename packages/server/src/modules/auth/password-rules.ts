import type { Role } from '@carillon/contract/roles'
import { badField } from '../../lib/problem.ts'
import { commonPasswords } from './common-passwords.ts'

/** Accounts that manage others without a second factor need a longer one. */
const shortest = { alone: 15, usual: 8 }

export type PasswordOwner = { username: string; email: string; role: Role; hasTotp: boolean }

/** Minimum length instead of composition rules, according to NIST SP 800-63B; rejects common passwords and the owner's own name. */
export function checkPassword(password: string, owner: PasswordOwner, field = 'newPassword'): void {
  const manages = owner.role === 'admin' || owner.role === 'reseller'
  const minimum = manages && !owner.hasTotp ? shortest.alone : shortest.usual
  if (password.length < minimum)
    throw badField(
      field,
      minimum === shortest.alone
        ? `Without two-factor authentication this account needs a password of at least ${minimum} characters`
        : `A password has at least ${minimum} characters`,
    )
  const plain = password.toLowerCase()
  const own = [owner.username, owner.email, owner.email.split('@')[0] ?? ''].map((name) => name.toLowerCase())
  if (own.includes(plain)) throw badField(field, 'A password must not be your own name or address')
  if (commonPasswords.has(plain) || isOnePattern(plain))
    throw badField(field, 'This password is too common: choose another')
}

/** A repeated character, or a sequence of the keyboard or the alphabet. */
function isOnePattern(text: string): boolean {
  const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', '9876543210', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
  return new Set(text).size < 3 || rows.some((row) => row.includes(text))
}
