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

/** For sentences: grouped as in India, with two decimals, or four where the amount needs them. */
export function formatRupees(units: number): string {
  return (units % 100 === 0 ? twoDecimals : fourDecimals).format(units / unitsPerRupee)
}

const twoDecimals = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const fourDecimals = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 4, maximumFractionDigits: 4 })
