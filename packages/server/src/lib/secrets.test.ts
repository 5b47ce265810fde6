import { expect, test } from 'vitest'
import { createSecretBox } from './secrets.ts'

const box = createSecretBox('ab'.repeat(32))
const place = { table: 'provider_accounts', organizationId: 'o', id: '1' }

test('decrypts what it encrypted, and never encrypts to the same bytes twice', () => {
  const sealed = box.seal({ password: 'geheim' }, place)
  expect(box.open(sealed, place)).toEqual({ password: 'geheim' })
  expect(sealed.includes('geheim')).toBe(false)
  expect(box.seal({ password: 'geheim' }, place).equals(sealed)).toBe(false)
})

test.each([
  ['another row', { ...place, id: '2' }],
  ['another organisation', { ...place, organizationId: 'p' }],
  ['another table', { ...place, table: 'senders' }],
])('does not decrypt in %s', (_, elsewhere) => {
  expect(() => box.open(box.seal({ password: 'x' }, place), elsewhere)).toThrow()
})

test('does not decrypt with another key, or after a byte was changed', () => {
  const sealed = box.seal({ password: 'x' }, place)
  expect(() => createSecretBox('cd'.repeat(32)).open(sealed, place)).toThrow()
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => box.open(sealed, place)).toThrow()
})

test('a new key decrypts data of the previous one', () => {
  const renewed = createSecretBox('cd'.repeat(32), ['ab'.repeat(32)])
  expect(renewed.open(box.seal({ password: 'x' }, place), place)).toEqual({ password: 'x' })
  expect(() => box.open(renewed.seal({ password: 'x' }, place), place)).toThrow('a key that is not configured')
})

test('rejects keys of another length', () => {
  expect(() => createSecretBox('ab')).toThrow('64 hexadecimal digits')
})
