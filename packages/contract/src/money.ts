/**
 * Displayed amounts use one rounding rule: half a paisa away from zero, once, at display. Amounts are rupees with at most four decimals; unit prices
 * are shown as in the rate card.
 */

const locale = 'en-IN'
const unitsPerRupee = 10_000
const unitsPerPaisa = 100

/** Rounds ledger units (1/10,000 rupee) to whole paise. */
export function roundToPaise(units: number): number {
  return Math.sign(units) * Math.round(Math.abs(units) / unitsPerPaisa) * unitsPerPaisa || 0
}

/** Rounds rupees to whole paise. */
export function roundRupees(rupees: number): number {
  return roundToPaise(Math.round(rupees * unitsPerRupee)) / unitsPerRupee
}

/** Example: 1,234.50 */
export function formatAmount(rupees: number): string {
  return amount.format(roundRupees(rupees))
}

/** Example: ₹1,234.50 */
export function formatMoney(rupees: number): string {
  return money.format(roundRupees(rupees))
}

/** Example: ₹0.1105. Unit prices have two to four decimals, as in the rate card. */
export function formatUnitPrice(rupees: number): string {
  return unitPrice.format(rupees)
}

/** Example: 1234.50, for machine-readable files. */
export function plainAmount(rupees: number): string {
  return roundRupees(rupees).toFixed(2)
}

/**
 * Rounds amounts to whole paise that add up to a total (default: their rounded sum). Each differs from its exact amount by less than a paisa; the
 * remainder goes to the amounts that rounding down reduced most.
 */
export function spreadPaise(units: readonly number[], total: number = roundToPaise(sum(units))): number[] {
  const whole = units.map((exact) => Math.floor(exact / unitsPerPaisa) * unitsPerPaisa)
  const missing = Math.round((total - sum(whole)) / unitsPerPaisa)
  const each = units.length === 0 ? 0 : Math.floor(missing / units.length)
  const byLoss = units.map((exact, index) => ({ index, loss: exact - (whole[index] ?? 0) }))
  byLoss.sort((one, other) => other.loss - one.loss || one.index - other.index)
  const raised = new Set(byLoss.slice(0, missing - each * units.length).map(({ index }) => index))
  return whole.map((paise, index) => paise + (each + (raised.has(index) ? 1 : 0)) * unitsPerPaisa)
}

/** The same for rupees. */
export function spreadRupees(amounts: readonly number[], total: number = roundRupees(sum(amounts))): number[] {
  const inUnits = (rupees: number) => Math.round(rupees * unitsPerRupee)
  return spreadPaise(amounts.map(inUnits), inUnits(total)).map((units) => units / unitsPerRupee)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const inRupees = { style: 'currency', currency: 'INR' } as const
const amount = new Intl.NumberFormat(locale, twoDecimals)
const money = new Intl.NumberFormat(locale, { ...inRupees, ...twoDecimals })
const unitPrice = new Intl.NumberFormat(locale, { ...inRupees, minimumFractionDigits: 2, maximumFractionDigits: 4 })
