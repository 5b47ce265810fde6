import { channelTraits } from '@carillon/contract/channels/table'
import { truncate } from '@carillon/contract/text'
import { createPhoneReader } from '../../../lib/phone.ts'

export type Columns = {
  /** Rows up to and including the header, which may follow titles; 0 if there is no header. */
  headerRows: number
  /** Names from the header, or generated: 'Column 1', … */
  names: string[]
  /** Undefined if no column contains phone numbers or is named accordingly. */
  phoneColumn: number | undefined
}

const namesOfChannels = Object.values(channelTraits).flatMap(({ columnNames }) => columnNames)

/** Substrings that identify a phone column, and whole names that may; compared without marks, punctuation and spaces. */
const certainNames = ['phone', 'mobile', 'msisdn', 'cellno', 'फोन', 'मोबाइल', 'दूरभाष', ...namesOfChannels].map(
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
/** Names that identify a mobile number among several phone columns. */
const mobileNames = ['mobile', 'msisdn', 'cell', 'मोबाइल', ...namesOfChannels].map(plainName)
const otherPhoneNames = ['office', 'work', 'home', 'landline', 'fax', 'alternate', 'emergency', 'residence'].map(
  plainName,
)

/** From this share of phone numbers on, content outweighs the name. */
const enough = 0.5
/** Below this share, phone numbers in an unnamed column are coincidence. */
const least = 0.1
/** Titles, dates and blank lines may precede the header. */
const headerWithin = 20

/** Detects header, column names and phone column from the first rows. */
export function guessColumns(rows: readonly string[][], defaultCountry: string): Columns {
  const width = Math.max(1, ...rows.map((row) => row.length))
  const readPhone = createPhoneReader(defaultCountry)
  const isMobile = (text: string) => {
    const read = readPhone(text)
    return 'phone' in read && !read.fixedLine
  }
  const headerRows = findHeader(rows, isMobile)
  const header = rows[headerRows - 1] ?? []
  const names = Array.from({ length: width }, (_, column) => header[column]?.trim() || `Column ${column + 1}`)
  const phoneColumn = guessPhoneColumn({ names, body: rows.slice(headerRows), isMobile })
  return { headerRows, names: distinct(names), phoneColumn }
}

type IsMobile = (text: string) => boolean

/** The first row that names a phone column; else the first row, if it resembles a header. */
function findHeader(rows: readonly string[][], isMobile: IsMobile): number {
  const [first = []] = rows
  for (const [index, row] of rows.slice(0, headerWithin).entries()) {
    if (row.some(isMobile)) break
    const body = rows.slice(index + 1)
    const namesPhones = row.some((cell, column) => nameWeight(cell) > 0 && shareOf(body, column, isMobile) >= enough)
    if (namesPhones) return index + 1
  }
  return looksLikeHeader(first) ? 1 : 0
}

function shareOf(body: readonly string[][], column: number, isMobile: IsMobile): number {
  return body.length === 0 ? 0 : body.filter((row) => isMobile(row[column] ?? '')).length / body.length
}

/** A header contains words, and no cell that is a phone number. */
function looksLikeHeader(cells: readonly string[]): boolean {
  if (cells.some((cell) => nameWeight(cell) > 0)) return true
  return (
    cells.some((cell) => /\p{L}/u.test(cell)) && !cells.some((cell) => /\p{Nd}{4}/u.test(cell.replaceAll(/[\s-]/g, '')))
  )
}

type Guess = { names: string[]; body: readonly string[][]; isMobile: IsMobile }

/** The phone column by name and content, else by content, else by name. */
function guessPhoneColumn({ names, body, isMobile }: Guess): number | undefined {
  const columns = names.map((name, index) => ({
    index,
    weight: nameWeight(name),
    share: shareOf(body, index, isMobile),
  }))
  const full = columns.filter(({ share }) => share >= enough)
  const possible = columns.filter(({ weight, share }) => weight > 0 || share >= least)
  const named = full.filter(({ weight }) => weight > 0)
  return [named, full, possible]
    .find((candidates) => candidates.length > 0)
    ?.toSorted((a, b) => b.weight - a.weight || b.share - a.share || a.index - b.index)[0]?.index
}

/** How likely a column with this name holds the phone number; 0: not at all. */
function nameWeight(name: string): number {
  const plain = plainName(name)
  const says = (words: readonly string[]) => words.some((word) => plain.includes(word))
  if (says(mobileNames)) return says(otherPhoneNames) ? 3 : 4
  if (says(certainNames)) return says(otherPhoneNames) ? 1 : 3
  return likelyNames.has(plain) ? 2 : 0
}

/** Letters and digits only, so that `Mobile No.`, `mobile_no` and Hindi with or without nukta dots are equal. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Renames duplicate columns to `name` and `name 2`. */
function distinct(names: string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const short = truncate(name, 80)
    let candidate = short
    for (let count = 2; taken.has(candidate); count += 1) candidate = `${short} ${count}`
    taken.add(candidate)
    return candidate
  })
}
