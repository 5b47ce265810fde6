import { createPhoneReader } from '../../../lib/phone.ts'

export type Columns = {
  hasHeader: boolean
  /** Names as the header has them, or made up: 'Column 1', … */
  names: string[]
  phoneColumn: number
}

/** Parts of names that say it is a phone number, and whole names that may; compared without marks, signs and spaces. */
const certainWords = ['phone', 'mobile', 'msisdn', 'whatsapp', 'cellno', 'फोन', 'मोबाइल', 'व्हाट्सएप', 'दूरभाष'].map(
  plainName,
)
const likelyNames = new Set(
  [
    'number',
    'numbers',
    'no',
    'cell',
    'mob',
    'mobno',
    'tel',
    'telephone',
    'contact',
    'contactno',
    'contactnumber',
    'recipient',
    'to',
    'नंबर',
    'संपर्क',
  ].map(plainName),
)
const enough = 0.5

/** Finds out from the first rows whether there is a header, what the columns are called, and which one holds the numbers. */
export function guessColumns(rows: readonly string[][], defaultCountry: string): Columns {
  const width = Math.max(1, ...rows.map((row) => row.length))
  const [first = []] = rows
  const hasHeader = looksLikeHeader(first)
  const body = hasHeader ? rows.slice(1) : rows
  const names = Array.from(
    { length: width },
    (_, column) => (hasHeader && first[column]?.trim()) || `Column ${column + 1}`,
  )
  return { hasHeader, names: distinct(names), phoneColumn: guessPhoneColumn({ names, body, defaultCountry }) }
}

/** A header names its columns: it has words, and no cell of it is a number as people have them. */
function looksLikeHeader(cells: readonly string[]): boolean {
  if (cells.some((cell) => nameWeight(cell) > 0)) return true
  return (
    cells.some((cell) => /\p{L}/u.test(cell)) && !cells.some((cell) => /\p{Nd}{4}/u.test(cell.replaceAll(/[\s-]/g, '')))
  )
}

type Guess = { names: string[]; body: readonly string[][]; defaultCountry: string }

/** A column of phone numbers by name and content; else by content alone; else by name alone. */
function guessPhoneColumn({ names, body, defaultCountry }: Guess): number {
  const readPhone = createPhoneReader(defaultCountry)
  const columns = names.map((name, index) => {
    const phones = body.filter((row) => 'phone' in readPhone(row[index] ?? '')).length
    return { index, weight: nameWeight(name), share: body.length === 0 ? 0 : phones / body.length }
  })
  const full = columns.filter(({ share }) => share >= enough)
  const named = full.filter(({ weight }) => weight > 0)
  const best = [named, full, columns]
    .find((candidates) => candidates.length > 0)
    ?.toSorted((a, b) => b.weight - a.weight || b.share - a.share || a.index - b.index)[0]
  return best?.index ?? 0
}

function nameWeight(name: string): number {
  const plain = plainName(name)
  if (certainWords.some((word) => plain.includes(word))) return 2
  return likelyNames.has(plain) ? 1 : 0
}

/** Letters and digits alone, so that `Mobile No.`, `mobile_no` and Hindi with or without its dots are one name. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Two columns of one name become `name` and `name 2`. */
function distinct(names: string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const short = name.slice(0, 80)
    let candidate = short
    for (let count = 2; taken.has(candidate); count += 1) candidate = `${short} ${count}`
    taken.add(candidate)
    return candidate
  })
}
