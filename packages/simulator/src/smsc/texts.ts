/** The default alphabet of 3GPP TS 23.038 by code; 0x1B is the escape to the extension. */
const basic = Array.from(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ' +
    ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
    '¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
])
const escapeCode = 0x1b

const bytesByCharacter = new Map<string, number[]>()
for (const [code, character] of basic.entries()) if (code !== escapeCode) bytesByCharacter.set(character, [code])
for (const [code, character] of extended) bytesByCharacter.set(character, [escapeCode, code])

export function decodeGsm(bytes: Buffer): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 1) {
    const code = (bytes[index] ?? 0) & 0x7f
    if (code === escapeCode) {
      index += 1
      const next = (bytes[index] ?? 0x20) & 0x7f
      text += extended.get(next) ?? basic[next]
    } else text += basic[code]
  }
  return text
}

export type Encoding = 'gsm7' | 'latin1' | 'ucs2' | 'binary'

export function decodeText(
  bytes: Buffer,
  coding: { dataCoding: number; defaultAlphabet: 'gsm' | 'latin1' },
): { text: string; encoding: Encoding } {
  const { dataCoding, defaultAlphabet } = coding
  // The message class groups (0xF0 to 0xFF, 0x10 to 0x1F) encode the alphabet in bits 2 and 3.
  const alphabet = dataCoding >= 0x10 ? dataCoding & 0x0c : dataCoding
  if (alphabet === 8) return { text: decodeUcs2(bytes), encoding: 'ucs2' }
  if (alphabet === 3 || alphabet === 1) return { text: bytes.toString('latin1'), encoding: 'latin1' }
  if (alphabet === 4 || alphabet === 2) return { text: bytes.toString('hex'), encoding: 'binary' }
  if (defaultAlphabet === 'latin1') return { text: bytes.toString('latin1'), encoding: 'latin1' }
  return { text: decodeGsm(bytes), encoding: 'gsm7' }
}

function decodeUcs2(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}

const concatenationHeader = 0x05

/** Encodes text as GSM 03.38 or UCS-2, in parts with a UDH if long. */
export function encodeInbound(
  text: string,
  reference: number,
): { dataCoding: number; esmClass: number; bodies: Buffer[] } {
  const gsm = encodeGsmUnits(text)
  const units = gsm ?? Array.from(text, encodeUcs2)
  const dataCoding = gsm ? 0 : 8
  const [single, each] = gsm ? [160, 153] : [140, 134]
  const whole = Buffer.concat(units)
  if (whole.length <= single) return { dataCoding, esmClass: 0, bodies: [whole] }

  const slices = packUnits(units, each)
  const bodies = slices.map((slice, index) =>
    Buffer.concat([Buffer.from([concatenationHeader, 0, 3, reference & 0xff, slices.length, index + 1]), slice]),
  )
  return { dataCoding, esmClass: 0x40, bodies }
}

function encodeGsmUnits(text: string): Buffer[] | undefined {
  const units: Buffer[] = []
  for (const character of text) {
    const bytes = bytesByCharacter.get(character)
    if (!bytes) return undefined
    units.push(Buffer.from(bytes))
  }
  return units
}

function encodeUcs2(character: string): Buffer {
  return Buffer.from(character, 'utf16le').swap16()
}

/** Never splits an escape pair or a surrogate pair. */
function packUnits(units: Buffer[], limit: number): Buffer[] {
  const slices: Buffer[][] = [[]]
  let length = 0
  for (const unit of units) {
    if (length + unit.length > limit) {
      slices.push([])
      length = 0
    }
    slices.at(-1)?.push(unit)
    length += unit.length
  }
  return slices.map((slice) => Buffer.concat(slice))
}
