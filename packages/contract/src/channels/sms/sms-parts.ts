import { gsmReplacement, gsmSeptets } from './gsm0338.ts'

/** Encoding of the text: GSM 03.38 default alphabet (7 bits per unit) or UCS-2 (16 bits per unit). */
export type SmsEncoding = 'gsm7' | 'ucs2'

export type SmsParts = {
  encoding: SmsEncoding
  /** Length in the encoding's units: septets (extension characters count 2) or UTF-16 code units. */
  units: number
  parts: number
  /** Units per part: 160 or 70 for a single part, 153 or 67 when concatenated. */
  unitsPerPart: number
  /** UTF-16 indexes at which the second and later parts begin. */
  seams: number[]
  /** Characters outside GSM 03.38, which force UCS-2. */
  offenders: { index: number; character: string; replacement?: string }[]
}

/** Units of a single part, and of each concatenated part with an 8-bit or 16-bit reference (3GPP 23.038, 23.040). */
const capacity = { gsm7: { alone: 160, 8: 153, 16: 152 }, ucs2: { alone: 70, 8: 67, 16: 66 } } as const

export type PartOptions = { /** Size of the concatenation reference, in bits. */ reference?: 8 | 16 }

/** Counts parts as operators bill them. Escape pairs and surrogate pairs are never split. */
export function countSmsParts(text: string, { reference = 8 }: PartOptions = {}): SmsParts {
  const offenders = findOffenders(text)
  const encoding: SmsEncoding = offenders.length > 0 ? 'ucs2' : 'gsm7'
  const units = encoding === 'ucs2' ? text.length : countSeptets(text)
  const { alone, [reference]: joined } = capacity[encoding]
  if (units <= alone) return { encoding, units, parts: 1, unitsPerPart: alone, seams: [], offenders }
  const seams = findSeams(text, encoding, joined)
  return { encoding, units, parts: seams.length + 1, unitsPerPart: joined, seams, offenders }
}

/** The text of each part, in order. */
export function splitSmsParts(text: string, options?: PartOptions): string[] {
  const { seams } = countSmsParts(text, options)
  return [0, ...seams].map((start, index) => text.slice(start, seams[index]))
}

/** The same count without seams, for the send loop: allocates nothing but the result. */
export function countPartsFast(text: string): { encoding: SmsEncoding; parts: number } {
  let septets = 0
  let sawPair = false
  for (let index = 0; index < text.length; index += 1) {
    const count = gsmSeptets(text.charCodeAt(index))
    if (count === 0) return countUcs2(text)
    if (count === 2) sawPair = true
    septets += count
  }
  if (septets <= capacity.gsm7.alone) return { encoding: 'gsm7', parts: 1 }
  const parts = sawPair ? findSeams(text, 'gsm7', capacity.gsm7[8]).length + 1 : Math.ceil(septets / capacity.gsm7[8])
  return { encoding: 'gsm7', parts }
}

function countUcs2(text: string): { encoding: SmsEncoding; parts: number } {
  return {
    encoding: 'ucs2',
    parts: text.length <= capacity.ucs2.alone ? 1 : findSeams(text, 'ucs2', capacity.ucs2[8]).length + 1,
  }
}

function countSeptets(text: string): number {
  let septets = 0
  for (let index = 0; index < text.length; index += 1) septets += gsmSeptets(text.charCodeAt(index))
  return septets
}

function findOffenders(text: string): SmsParts['offenders'] {
  const offenders: SmsParts['offenders'] = []
  let index = 0
  for (const character of text) {
    if (character.length > 1 || gsmSeptets(character.charCodeAt(0)) === 0) {
      const replacement = gsmReplacement(character)
      offenders.push({ index, character, ...(replacement === undefined ? {} : { replacement }) })
    }
    index += character.length
  }
  return offenders
}

/** Fills part after part; a pair that does not fit begins the next part. */
function findSeams(text: string, encoding: SmsEncoding, size: number): number[] {
  const seams: number[] = []
  let used = 0
  let index = 0
  while (index < text.length) {
    const width = encoding === 'gsm7' ? 1 : isHighSurrogate(text.charCodeAt(index)) && index + 1 < text.length ? 2 : 1
    const cost = encoding === 'gsm7' ? gsmSeptets(text.charCodeAt(index)) : width
    if (used + cost > size) {
      seams.push(index)
      used = 0
    }
    used += cost
    index += width
  }
  return seams
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
