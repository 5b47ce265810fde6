import { createPhoneReader } from '../../../lib/phone.ts'

export type Columns = {
  hasHeader: boolean
  /** Names as the header has them, or made up: 'Column 1', … */
  names: string[]
  phoneColumn: number
}

const phoneNames = /^(?:(?:customer|contact|user|client)[ _-]?)?(?:phone|mobile|mob|cell|msisdn|whatsapp|tel|telephone|contact|number|phone ?no\.?|mobile ?no\.?|numbers?|recipient|to|फ़ोन|फोन|मोबाइल|नंबर)(?:[ _-]?(?:number|num|no\.?|nos?|phone|नंबर))?$/iu
const enough = 0.5

/** Finds out from the first rows whether there is a header, what the columns are called, and which one holds the numbers. */
export function guessColumns(rows: readonly string[][], defaultCountry: string): Columns {
  const width = Math.max(1, ...rows.map((row) => row.length))
  const readPhone = createPhoneReader(defaultCountry)
  const looksLikePhone = (cell: string | undefined) => cell !== undefined && 'phone' in readPhone(cell)
  const share = (column: number, from: readonly string[][]) => (from.length === 0 ? 0 : from.filter((row) => looksLikePhone(row[column])).length / from.length)

  const [first = [], ...others] = rows
  const hasHeader = !first.some(looksLikePhone) && first.some((cell) => /\p{L}/u.test(cell)) && (others.length > 0 || first.some((cell) => phoneNames.test(cell.trim())))
  const body = hasHeader ? others : rows
  const names = Array.from({ length: width }, (_, column) => (hasHeader ? first[column]?.trim() : '') || `Column ${column + 1}`)

  const named = names.findIndex((name, column) => phoneNames.test(name) && (body.length === 0 || share(column, body) >= enough))
  const shares = names.map((_, column) => share(column, body))
  const fullest = shares.indexOf(Math.max(...shares))
  return { hasHeader, names: distinct(names), phoneColumn: named >= 0 ? named : Math.max(0, fullest) }
}

/** Two columns of one name become `name` and `name 2`. */
function distinct(names: string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return (count === 1 ? name : `${name} ${count}`).slice(0, 80)
  })
}
