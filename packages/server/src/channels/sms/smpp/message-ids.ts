import type { SmppConfig } from './config.ts'

/**
 * Operators write one id in two ways: hexadecimal in the answer to a submit and decimal in the receipt, or the other way
 * round, with and without leading zeros. Both ways out of a session pass here, so that they meet.
 */
export type MessageIds = {
  /** The id of a submit as it is kept. */
  submitted(id: string): string
  /** The kept ids a receipt may mean, the likeliest first. */
  receipted(id: string): string[]
}

/** So many ids without a hexadecimal letter are no chance: the operator counts in tens there. */
const enoughToLearn = 12

export function createMessageIds(base: SmppConfig['dlrIdBase']): MessageIds {
  const answers = { seen: 0, withLetters: 0 }
  const receipts = { seen: 0, withLetters: 0 }

  function observe(counts: typeof answers, id: string) {
    if (!isNumber(id)) return
    counts.seen += 1
    if (/[a-f]/i.test(id)) counts.withLetters += 1
  }

  function learnedBase(): SmppConfig['dlrIdBase'] {
    if (base !== 'auto' || answers.seen < enoughToLearn || receipts.seen < enoughToLearn) return base
    if (answers.withLetters > 0 && receipts.withLetters === 0) return 'resp-hex-receipt-decimal'
    if (answers.withLetters === 0 && receipts.withLetters > 0) return 'resp-decimal-receipt-hex'
    return base
  }

  return {
    submitted(id) {
      observe(answers, id)
      return normalise(id)
    },
    receipted(id) {
      observe(receipts, id)
      return candidates(id, learnedBase())
    },
  }
}

function candidates(id: string, base: SmppConfig['dlrIdBase']): string[] {
  const same = normalise(id)
  const hex = /^\d+$/.test(id) && isNumber(id) ? BigInt(id).toString(16) : undefined
  const decimal = isNumber(id) ? BigInt(`0x${id}`).toString() : undefined
  const byBase: Record<SmppConfig['dlrIdBase'], (string | undefined)[]> = {
    same: [same],
    'resp-hex-receipt-decimal': [hex, same],
    'resp-decimal-receipt-hex': [decimal, same],
    auto: [same, hex, decimal],
  }
  return [...new Set(byBase[base].filter((candidate) => candidate !== undefined))]
}

/** Longer ones are hashes or UUIDs, which nobody rewrites. */
function isNumber(id: string): boolean {
  return /^[0-9a-f]{1,20}$/i.test(id)
}

function normalise(id: string): string {
  return isNumber(id) ? id.toLowerCase().replace(/^0+(?=.)/, '') : id
}
