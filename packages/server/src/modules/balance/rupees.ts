import { formatAmount, formatUnitPrice, roundToPaise } from '@carillon/contract/money'

const unitsPerRupee = 10_000

/** Ledger units (1/10,000 rupee) as rupees for the API. */
export function toRupees(units: number): number {
  return units / unitsPerRupee
}

/** Rupees as ledger units; throws for more than four decimals. */
export function toUnits(rupees: number): number {
  if (Number(rupees.toFixed(4)) !== rupees) throw new RangeError(`${rupees} has more than four decimals`)
  return Math.round(rupees * unitsPerRupee)
}

/** For texts: Indian digit grouping, two decimals. */
export function formatRupees(units: number): string {
  return formatAmount(toRupees(units))
}

/** A unit price with as many decimals as in its rate card. */
export function formatPrice(units: number): string {
  return formatUnitPrice(toRupees(units))
}

/**
 * Needed, available and missing amounts in whole paise that add up. The available amount is as on screens, unless rounding
 * would make it reach the needed one.
 */
export function formatShortage(needed: number, available: number): Record<'short' | 'needed' | 'available', string> {
  const [up, shown, down] = [Math.ceil(needed / 100) * 100, roundToPaise(available), Math.floor(available / 100) * 100]
  const left = shown < up ? shown : down
  return { short: formatRupees(up - left), needed: formatRupees(up), available: formatRupees(left) }
}

/** A balance in whole paise: available and held add up to posted. */
export function inPaise({ posted, held }: { posted: number; held: number }): { available: number; held: number } {
  const available = roundToPaise(posted - held)
  return { available, held: roundToPaise(posted) - available }
}
