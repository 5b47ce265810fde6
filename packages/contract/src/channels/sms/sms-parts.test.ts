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
  ['70 letters of Urdu', 'ب'.repeat(70), 'ucs2', 70, 1],
  ['71 letters of Hebrew are two parts of 67', 'ש'.repeat(71), 'ucs2', 71, 2],
  ['vowel signs and marks of direction count as letters do', 'بَ\u200f', 'ucs2', 3, 1],
  ['an emoji counts two units', '😀'.repeat(35), 'ucs2', 70, 1],
  ['one curly quote makes it all UCS-2', `${'a'.repeat(70)}’`, 'ucs2', 71, 2],
  ['a backtick is in neither table', '`', 'ucs2', 1, 1],
  ['a small cedilla is not in the table', 'ç', 'ucs2', 1, 1],
])('%s', (...[, text, encoding, units, parts]) => {
  expect(countSmsParts(text)).toMatchObject({ encoding, units, parts })
})

test('never splits an escape pair, so a part may hold 152 units', () => {
  const text = `${'a'.repeat(152)}€${'b'.repeat(10)}`
  expect(splitSmsParts(text).map((part) => part.length)).toEqual([152, 11])
})

test('never splits a surrogate pair, so a part may hold 66 units', () => {
  const text = `${'न'.repeat(66)}😀${'न'.repeat(10)}`
  expect(splitSmsParts(text).map((part) => part.length)).toEqual([66, 12])
})

test('reports the character that forces Unicode, with a replacement', () => {
  expect(countSmsParts('Don’t wait').offenders).toEqual([{ index: 3, character: '’', replacement: "'" }])
})

const anyText = fc.string({ unit: fc.constantFrom(...Array.from('abc XYZ09{}[]~|€^\\\n’न😀ß')), maxLength: 700 })

test('joined parts equal the text, each part fits, and both counters agree', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { parts, encoding, unitsPerPart } = countSmsParts(text)
      const pieces = splitSmsParts(text)
      expect(pieces.join('')).toBe(text)
      expect(pieces).toHaveLength(parts)
      for (const piece of pieces)
        expect(encoding === 'gsm7' ? encodeGsm(piece).length : piece.length).toBeLessThanOrEqual(unitsPerPart)
      expect(countPartsFast(text)).toEqual({ encoding, parts })
    }),
  )
})

test('decoding reverses encoding for every GSM 03.38 character', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(...Array.from('@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&()*+ÄÖÑÜ§¿äöñüà^{}\\[~]|€aZ09')),
      }),
      (text) => {
        expect(isGsm(text)).toBe(true)
        expect(decodeGsm(encodeGsm(text))).toBe(text)
      },
    ),
  )
})

test.each([
  ['160 septets alone', 'a'.repeat(160), 1, 160],
  ['153 units would fit with the short reference', 'a'.repeat(306), 3, 152],
  ['70 units of UCS-2 alone', 'न'.repeat(70), 1, 70],
  ['66 units a part', 'न'.repeat(134), 3, 66],
])('joined by a 16-bit reference: %s', (...[, text, parts, unitsPerPart]) => {
  expect(countSmsParts(text, { reference: 16 })).toMatchObject({ parts, unitsPerPart })
})

test('a longer text never takes fewer units or parts', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, more) => {
      const before = countSmsParts(text)
      const after = countSmsParts(text + more)
      expect(after.parts).toBeGreaterThanOrEqual(before.parts)
      expect(after.units).toBeGreaterThanOrEqual(
        before.encoding === 'gsm7' && after.encoding === 'ucs2' ? text.length : before.units,
      )
    }),
  )
})

test('units are the sum over the parts, and every part but the last is full', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(8 as const, 16 as const), (text, reference) => {
      const { encoding, units, unitsPerPart } = countSmsParts(text, { reference })
      const size = (piece: string) => (encoding === 'gsm7' ? encodeGsm(piece).length : piece.length)
      const pieces = splitSmsParts(text, { reference })
      expect(pieces.reduce((sum, piece) => sum + size(piece), 0)).toBe(units)
      for (const [index, piece] of pieces.entries()) {
        const next = pieces[index + 1]
        if (next !== undefined) expect(size(piece + Array.from(next)[0])).toBeGreaterThan(unitsPerPart)
      }
    }),
  )
})

test('counts a lone surrogate', () => {
  expect(splitSmsParts(`${'न'.repeat(69)}\ud83d`)).toEqual([`${'न'.repeat(69)}\ud83d`])
})

test('decodes an unknown escape to a space', () => {
  expect(decodeGsm(Uint8Array.of(0x41, 0x1b, 0x41, 0x1b))).toBe('A  ')
})

test('rejects characters outside the alphabet', () => {
  expect(() => encodeGsm('cost: ₹5')).toThrow('₹ is not in GSM 03.38')
})
