/** How the text travels: GSM 03.38 default alphabet (7 bits a unit) or UCS-2 (16 bits a unit). */
export type SmsEncoding = 'gsm7' | 'ucs2'

export type SmsParts = {
  encoding: SmsEncoding
  /** Length in the encoding's units: septets (extension characters count 2) or UTF-16 code units. */
  units: number
  parts: number
  /** Units that fit into each part: 160 or 70 alone, 153 or 67 when joined. */
  unitsPerPart: number
  /** String indexes (UTF-16) at which the second and every further part begins. */
  seams: number[]
  /** Every character that is outside GSM 03.38 and so makes the whole message UCS-2. */
  offenders: { index: number; character: string; replacement?: string }[]
}
