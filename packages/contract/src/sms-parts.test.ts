import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeGsm, encodeGsm, isGsm } from './gsm0338.ts'
import { countPartsFast, countSmsParts, splitSmsParts } from './sms-parts.ts'

test.each([
  ['an empty text', '', 'gsm7', 0, 1],
  ['160 septets alone', 'a'.repeat(160), 'gsm7', 160, 1],
  ['161 septets are two parts of 153', 'a'.repeat(161), 'gsm7', 161, 2],
  ['306 fill two parts', 'a'.repeat(306), 'gsm7', 306, 2],
  ['307 need a third', 'a'.repeat(307), 'gsm7', 307, 3],
  ['an extension character counts two', '€'.repeat(80), 'gsm7', 160, 1],
  ['70 units of UCS-2', 'न'.repeat(70), 'ucs2', 70, 1],
  ['71 units are two parts of 67', 'न'.repeat(71), 'ucs2', 71, 2],
  ['an emoji counts two units', '😀'.repeat(35), 'ucs2', 70, 1],
  ['one curly quote makes it all UCS-2', `${'a'.repeat(70)}’`, 'ucs2', 71, 2],
  ['a backtick is in neither table', '`', 'ucs2', 1, 1],
  ['a small cedilla is not in the table', 'ç', 'ucs2', 1, 1],
])('%s', (_, text, encoding, units, parts) => {
  expect(countSmsParts(text)).toMatchObject({ encoding, units, parts })
})

test('an escape pair never straddles two parts, so a part may hold 152', () => {
  const text = `${'a'.repeat(152)}€${'b'.repeat(10)}`
  expect(splitSmsParts(text).map((part) => part.length)).toEqual([152, 11])
})

test('a surrogate pair never straddles two parts, so a part may hold 66', () => {
  const text = `${'न'.repeat(66)}😀${'न'.repeat(10)}`
  expect(splitSmsParts(text).map((part) => part.length)).toEqual([66, 12])
})

test('names the character that costs money, and what to write instead', () => {
  expect(countSmsParts('Don’t wait').offenders).toEqual([{ index: 3, character: '’', replacement: "'" }])
})

const anyText = fc.string({ unit: fc.constantFrom(...'abc XYZ09{}[]~|€^\\\n’न😀ß'), maxLength: 700 })

test('parts joined are the text, each fits, and both counters agree', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { parts, encoding, unitsPerPart } = countSmsParts(text)
      const pieces = splitSmsParts(text)
      expect(pieces.join('')).toBe(text)
      expect(pieces).toHaveLength(parts)
      for (const piece of pieces) expect(encoding === 'gsm7' ? encodeGsm(piece).length : piece.length).toBeLessThanOrEqual(unitsPerPart)
      expect(countPartsFast(text)).toEqual({ encoding, parts })
    }),
  )
})

test('what GSM 03.38 can write, it can read again', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&()*+ÄÖÑÜ§¿äöñüà^{}\\[~]|€aZ09') }), (text) => {
      expect(isGsm(text)).toBe(true)
      expect(decodeGsm(encodeGsm(text))).toBe(text)
    }),
  )
})
