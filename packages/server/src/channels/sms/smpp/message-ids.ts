import type { IdReading } from '../../provider.ts'
import type { SmppConfig } from './config.ts'

/** The stored form of a submit's id: operators write the same id with and without leading zeros, in upper or lower case. */
export function submittedId(id: string): string {
  return isNumber(id) ? id.toLowerCase().replace(/^0+(?=.)/, '') : id
}

export type ReceiptedIds = { ids: string[]; readings: IdReading[] }

/**
 * The stored ids that a receipt may mean, the identical one first. Many operators write hexadecimal in the response to a submit
 * and decimal in the receipt, some the other way round.
 */
export function receiptedIds(id: string, base: SmppConfig['dlrIdBase']): ReceiptedIds {
  const found = readings(id, base)
  return { ids: found.map(({ storedId }) => storedId), readings: found.map(({ reading }) => reading) }
}

type Reading = { storedId: string; reading: IdReading }

function readings(id: string, base: SmppConfig['dlrIdBase']): Reading[] {
  const same: Reading = { storedId: submittedId(id), reading: 'same' }
  if (!isNumber(id)) return [same]
  if (base === 'auto') return distinct([same, ...asDecimal(id), asHexadecimal(id)])
  if (base === 'resp-decimal-receipt-hex') return [asHexadecimal(id)]
  const [decimal = same] = base === 'resp-hex-receipt-decimal' ? asDecimal(id) : []
  return [decimal]
}

/** Without ids that a more specific reading yields as well. */
function distinct(found: readonly Reading[]): Reading[] {
  return found.filter(({ storedId }, index) => found.findIndex((other) => other.storedId === storedId) === index)
}

/** Numbers of up to this many digits are exact in floating point, which is several times faster. */
const exactDigits = { decimal: 15, hexadecimal: 13 }

/** Undefined for other digits. */
function asDecimal(id: string): Reading[] {
  if (!/^\d+$/.test(id)) return []
  const number = id.length <= exactDigits.decimal ? Number(id) : BigInt(id)
  return [{ storedId: number.toString(16), reading: 'decimal' }]
}

function asHexadecimal(id: string): Reading {
  const number = id.length <= exactDigits.hexadecimal ? Number.parseInt(id, 16) : BigInt(`0x${id}`)
  return { storedId: number.toString(), reading: 'hexadecimal' }
}

/** Longer ids are hashes or UUIDs, which operators do not convert to another base. */
function isNumber(id: string): boolean {
  return /^[0-9a-f]{1,20}$/i.test(id)
}
