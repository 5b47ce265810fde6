import { formatAmount, formatUnitPrice, roundToPaise } from '@carillon/contract/money'

const unitsPerRupee = 10_000

/** Ledger units (1/10,000 rupee) as the number of rupees the wire carries. */
export function toRupees(units: number): number {
  return units / unitsPerRupee
}

/** Rupees as ledger units; more than four decimals are no amount of money here. */
export function toUnits(rupees: number): number {
  if (Number(rupees.toFixed(4)) !== rupees) throw new RangeError(`${rupees} has more than four decimals`)
  return Math.round(rupees * unitsPerRupee)
}

/** For sentences: grouped as in India, with two decimals. */
export function formatRupees(units: number): string {
  return formatAmount(toRupees(units))
}

/** The price of one unit, with as many decimals as its rate card has. */
export function formatPrice(units: number): string {
  return formatUnitPrice(toRupees(units))
}

/**
 * What is needed, what there is, and what is missing, as amounts in whole paise that add up. What there is reads as on
 * screens, unless it was rounded up to all that is needed.
 */
export function formatShortage(needed: number, available: number): Record<'short' | 'needed' | 'available', string> {
  const [up, shown, down] = [Math.ceil(needed / 100) * 100, roundToPaise(available), Math.floor(available / 100) * 100]
  const left = shown < up ? shown : down
  return { short: formatRupees(up - left), needed: formatRupees(up), available: formatRupees(left) }
}

/** A balance in whole paise: what is available and what is held add up to what is posted. */
export function inPaise({ posted, held }: { posted: number; held: number }): { available: number; held: number } {
  const available = roundToPaise(posted - held)
  return { available, held: roundToPaise(posted) - available }
}
