import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newPublicId, newSecret, parseKeyText } from './key-text.ts'

const invent = () => newSecret({ environment: 'live', publicId: newPublicId() })

test('a key has its environment, its public id, 256 random bits and a checksum', () => {
  const { text, last4 } = newSecret({ environment: 'test', publicId: '0a1b2c3d' })
  expect(text).toMatch(/^carillon_test_0a1b2c3d_[\da-f]{64}_[\da-f]{8}$/)
  expect(text.endsWith(last4)).toBe(true)
  expect(parseKeyText(text)?.publicId).toBe('0a1b2c3d')
  expect(new Set(Array.from({ length: 100 }, () => invent().text)).size).toBe(100)
})

test('the checksum is the CRC-32 of the rest', () => {
  const rest = `carillon_live_00000000_${'0'.repeat(64)}`
  // As Python's zlib computes it.
  expect(parseKeyText(`${rest}_befe0f36`)?.publicId).toBe('00000000')
  expect(parseKeyText(`${rest}_befe0f37`)).toBeUndefined()
})

test('a key with one wrong character is not a key', () => {
  const place = fc.nat({ max: invent().text.length - 1 })
  fc.assert(
    fc.property(place, fc.integer({ min: 0, max: 15 }), (at, digit) => {
      const { text } = invent()
      const wrong = `${text.slice(0, at)}${digit.toString(16)}${text.slice(at + 1)}`
      expect(parseKeyText(wrong) === undefined).toBe(wrong !== text)
    }),
  )
})

test('other spellings are not keys', () => {
  const { text } = invent()
  for (const other of [
    text.toUpperCase(),
    ` ${text}`,
    `${text}\n`,
    text.slice(0, -1),
    `${text}0`,
    `Bearer ${text}`,
    '',
  ])
    expect(parseKeyText(other)).toBeUndefined()
})
