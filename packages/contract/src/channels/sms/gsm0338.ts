/** GSM 03.38 default alphabet in code order, 0x00 to 0x7F; 0x1B is the escape. */
const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

/** Extension characters: an escape and a code, so two septets. */
const extension: Record<string, number> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
}

const escape = 0x1b
const escapeCharacter = '\u001b'
const characters = Array.from(alphabet)
const extensionCharacters = new Map(Object.entries(extension).map(([character, code]) => [code, character]))

/**
 * Two tables indexed by UTF-16 code below 0x2100, which covers the whole alphabet: the number of septets of a character (0 if not in the alphabet),
 * and its code without the escape.
 */
const septets = new Uint8Array(0x2100)
const codes = new Uint8Array(0x2100)
for (const [code, character] of characters.entries()) {
  if (character === escapeCharacter) continue
  septets[character.charCodeAt(0)] = 1
  codes[character.charCodeAt(0)] = code
}
for (const [character, code] of Object.entries(extension)) {
  septets[character.charCodeAt(0)] = 2
  codes[character.charCodeAt(0)] = code
}

/** Number of septets of a UTF-16 unit in GSM 03.38; 0 if not in the alphabet. */
export function gsmSeptets(unit: number): number {
  return septets[unit] ?? 0
}

export function isGsm(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (gsmSeptets(text.charCodeAt(index)) === 0) return false
  return true
}

/** Encodes one septet per octet, unpacked, as nearly every SMSC expects under data_coding 0. Throws on characters outside the alphabet. */
export function encodeGsm(text: string): Uint8Array {
  let length = 0
  for (let index = 0; index < text.length; index += 1) length += septetsAt(text, index)
  const bytes = new Uint8Array(length)
  let at = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (gsmSeptets(unit) === 2) {
      bytes[at] = escape
      at += 1
    }
    bytes[at] = codes[unit] ?? 0
    at += 1
  }
  return bytes
}

function septetsAt(text: string, index: number): number {
  const count = gsmSeptets(text.charCodeAt(index))
  if (count > 0) return count
  throw new RangeError(`${String.fromCodePoint(text.codePointAt(index) ?? 0)} is not in GSM 03.38`)
}

/** An escape before a code without extension decodes to a space, as on phones. */
export function decodeGsm(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 1) {
    const code = (bytes[index] ?? 0) & 0x7f
    if (code !== escape) {
      text += characters[code] ?? ''
      continue
    }
    index += 1
    text += extensionCharacters.get((bytes[index] ?? 0) & 0x7f) ?? ' '
  }
  return text
}

const replacements: Record<string, string> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2010': '-',
  '\u2011': '-',
  '\u2212': '-',
  '\u2026': '...',
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u2022': '*',
  '\u00b7': '.',
  '\u00b4': "'",
  '`': "'",
  '\u00d7': 'x',
  '\u20b9': 'Rs.',
  '\u200b': '',
  '\u200d': '',
  '\ufeff': '',
  '\u2122': '(TM)',
  ç: 'Ç',
}

/** The closest GSM 03.38 text for a character; undefined if there is none. */
export function gsmReplacement(character: string): string | undefined {
  return replacements[character]
}
