import { countOf, formatCount, formatUnitPrice } from './format.ts'

/** Cost of a country's recipients; `parts` are the billed units. */
export type CountryPart = { country: string; parts: number; price: number | null }

const names = new Intl.DisplayNames(['en-IN'], { type: 'region' })

/** Numbers such as +800 belong to no country. */
export function countryName(country: string): string {
  return country === '001' ? 'International numbers' : (names.of(country) ?? country)
}

/** 1,020 × ₹0.125 */
export function partsLabel({ parts, price }: CountryPart): string {
  return `${formatCount(parts)} × ${price === null ? 'no price' : formatUnitPrice(price)}`
}

/** One line per country, largest first; the last line summarises the rest. */
export function splitLines(prices: readonly CountryPart[], most: number): string[] {
  const sorted = prices.toSorted((one, other) => other.parts - one.parts)
  const shown = sorted.slice(0, sorted.length > most ? most - 1 : most)
  const lines = shown.map((part) => `${countryName(part.country)} ${partsLabel(part)}`)
  const rest = sorted.length - shown.length
  return rest > 0 ? [...lines, `and ${countOf(rest, 'more country', 'more countries')}`] : lines
}
