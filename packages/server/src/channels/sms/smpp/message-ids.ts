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
  const decimal: Reading[] = /^\d+$/.test(id) ? [{ kept: BigInt(id).toString(16), reading: 'decimal' }] : []
  const hexadecimal: Reading[] = [{ kept: BigInt(`0x${id}`).toString(), reading: 'hexadecimal' }]
  const byBase: Record<SmppConfig['dlrIdBase'], Reading[]> = {
    same: [same],
    'resp-hex-receipt-decimal': decimal,
    'resp-decimal-receipt-hex': hexadecimal,
    auto: [same, ...decimal, ...hexadecimal],
  }
  const distinct = new Map(byBase[base].toReversed().map((reading) => [reading.kept, reading]))
  return distinct.size > 0 ? [...distinct.values()].reverse() : [same]
}

/** Longer ones are hashes or UUIDs, which no operator writes in another base. */
function isNumber(id: string): boolean {
  return /^[0-9a-f]{1,20}$/i.test(id)
}
