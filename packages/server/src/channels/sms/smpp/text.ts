import { decodeGsm, encodeGsm, isGsm } from '@carillon/contract/channels/sms/gsm0338'
import { splitSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import type { SmsMessage } from '../message.ts'
import type { SmppConfig } from './config.ts'

/** data_coding in the PDU. */
export const coding = { default: 0, ascii: 1, latin1: 3, binary: 4, ucs2: 8 } as const

export type EncodedText = {
  dataCoding: number
  /** The bytes of each part in order; a single entry if the SMSC splits the text. */
  parts: Buffer[]
  /** More than one part on the recipient's phone. */
  isLong: boolean
}
export type TextRules = Pick<SmppConfig, 'dataCoding' | 'defaultAlphabet' | 'longMessage'>

type Alphabet = 'gsm7' | 'latin1' | 'ucs2'

/** Undefined if the account's character set cannot encode the text. */
export function encodeText(
  { text, encoding, parts: billedParts }: Pick<SmsMessage, 'text' | 'encoding' | 'parts'>,
  rules: TextRules,
): EncodedText | undefined {
  if (
    encoding === 'gsm7' &&
    billedParts === 1 &&
    rules.dataCoding !== 'ucs2' &&
    rules.dataCoding !== 'latin1' &&
    isPlain(text)
  ) {
    return { dataCoding: coding.default, parts: [Buffer.from(text, 'latin1')], isLong: false }
  }
  const alphabet = chooseAlphabet(text, rules)
  if (!alphabet) return undefined
  const parts = splitFor(alphabet, text, rules).map((part) => encodePart(part, alphabet))
  const isLong = parts.length > 1
  return {
    dataCoding: codingOf(alphabet, rules),
    parts: rules.longMessage === 'payload' ? [Buffer.concat(parts)] : parts,
    isLong,
  }
}

/** Most texts: characters with the same code in GSM 03.38, Latin-1 and ASCII, and short enough for one part. */
function isPlain(text: string): boolean {
  return text.length <= 160 && /^[\n\r !"#%&'()*+,./0-9:;<=>?A-Za-z-]*$/.test(text)
}

function chooseAlphabet(text: string, { dataCoding, defaultAlphabet }: TextRules): Alphabet | undefined {
  const simple = defaultAlphabet === 'gsm7' ? isGsm(text) : isLatin1(text) && isGsm(text)
  if (dataCoding === 'auto') return simple ? defaultAlphabet : 'ucs2'
  if (dataCoding === 'gsm7') return simple ? defaultAlphabet : undefined
  if (dataCoding === 'latin1') return isLatin1(text) ? 'latin1' : undefined
  return 'ucs2'
}

function codingOf(alphabet: Alphabet, { dataCoding }: TextRules): number {
  if (alphabet === 'ucs2') return coding.ucs2
  return dataCoding === 'latin1' ? coding.latin1 : coding.default
}

/** A GSM text is split as it is billed, whatever encoding carries it; other texts are split by their own encoding. */
function splitFor(alphabet: Alphabet, text: string, { longMessage }: TextRules): string[] {
  const reference = longMessage === 'udh16' ? 16 : 8
  const billedAs = isGsm(text) ? 'gsm' : 'ucs2'
  if (
    alphabet === 'gsm7' ||
    (alphabet === 'latin1' && billedAs === 'gsm') ||
    (alphabet === 'ucs2' && billedAs === 'ucs2')
  ) {
    return splitSmsParts(text, { reference })
  }
  const octetsPerUnit = alphabet === 'ucs2' ? 2 : 1
  const header = reference === 16 ? 8 : 6
  return splitUnits(text, { alone: 140 / octetsPerUnit, joined: Math.floor((140 - header) / octetsPerUnit) })
}

function splitUnits(text: string, { alone, joined }: { alone: number; joined: number }): string[] {
  if (text.length <= alone) return [text]
  const parts: string[] = []
  for (let start = 0; start < text.length; start += joined) parts.push(text.slice(start, start + joined))
  return parts
}

function encodePart(part: string, alphabet: Alphabet): Buffer {
  if (alphabet === 'gsm7') return Buffer.from(encodeGsm(part))
  return alphabet === 'latin1' ? Buffer.from(part, 'latin1') : Buffer.from(part, 'utf16le').swap16()
}

function isLatin1(text: string): boolean {
  return /^[\u0000-\u00ff]*$/.test(text)
}

/** Decodes an inbound text. data_coding groups with a message class have the alphabet in their low bits. */
export function decodeText(octets: Buffer, dataCoding: number, defaultAlphabet: 'gsm7' | 'latin1'): string {
  const isUcs2 =
    dataCoding === coding.ucs2 || (dataCoding < 0xc0 && (dataCoding & 0xec) === 0x08) || (dataCoding & 0xf0) === 0xe0
  if (isUcs2)
    return Buffer.from(octets.subarray(0, octets.length & ~1))
      .swap16()
      .toString('utf16le')
  if (dataCoding === coding.latin1 || dataCoding === coding.ascii || dataCoding === coding.binary)
    return octets.toString('latin1')
  return defaultAlphabet === 'latin1' ? octets.toString('latin1') : decodeGsm(octets)
}
