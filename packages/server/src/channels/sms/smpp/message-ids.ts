import type { IdReading } from '../../provider.ts'
import type { SmppConfig } from './config.ts'

/** The id of a submit as it is kept: operators write one id with and without leading zeros, in capitals or not. */
export function submittedId(id: string): string {
  return isNumber(id) ? id.toLowerCase().replace(/^0+(?=.)/, '') : id
}

export type ReceiptedIds = { ids: string[]; readings: IdReading[] }

/**
 * The kept ids that a receipt may mean, the same text first. Many operators write hexadecimal in the answer to a submit and
 * decimal in the receipt, some the other way round.
 */
export function receiptedIds(id: string, base: SmppConfig['dlrIdBase']): ReceiptedIds {
  const found = readings(id, base)
  return { ids: found.map(({ kept }) => kept), readings: found.map(({ reading }) => reading) }
}

type Reading = { kept: string; reading: IdReading }

function readings(id: string, base: SmppConfig['dlrIdBase']): Reading[] {
  const same: Reading = { kept: submittedId(id), reading: 'same' }
  if (!isNumber(id)) return [same]
  if (base === 'auto') return distinct([same, ...asDecimal(id), asHexadecimal(id)])
  if (base === 'resp-decimal-receipt-hex') return [asHexadecimal(id)]
  const [decimal = same] = base === 'resp-hex-receipt-decimal' ? asDecimal(id) : []
  return [decimal]
}

/** Without ids that a narrower reading gives as well. */
function distinct(found: readonly Reading[]): Reading[] {
  return found.filter(({ kept }, index) => found.findIndex((other) => other.kept === kept) === index)
}

/** Numbers of so many digits are exact in floating point, which is several times faster. */
const exactDigits = { decimal: 15, hexadecimal: 13 }

/** None where it has other digits. */
function asDecimal(id: string): Reading[] {
  if (!/^\d+$/.test(id)) return []
  const number = id.length <= exactDigits.decimal ? Number(id) : BigInt(id)
  return [{ kept: number.toString(16), reading: 'decimal' }]
}

function asHexadecimal(id: string): Reading {
  const number = id.length <= exactDigits.hexadecimal ? Number.parseInt(id, 16) : BigInt(`0x${id}`)
  return { kept: number.toString(), reading: 'hexadecimal' }
}

/** Longer ones are hashes or UUIDs, which no operator writes in another base. */
function isNumber(id: string): boolean {
  return /^[0-9a-f]{1,20}$/i.test(id)
}
