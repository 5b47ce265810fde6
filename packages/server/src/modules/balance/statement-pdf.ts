import type { Readable } from 'node:stream'
import type { Letterhead } from './letterhead.ts'
import { createPdf, money, writeFacts, writeNote, writeTable, writeTitle } from './pdf-page.ts'

/** In ledger units, in whole paise. */
export type Totals = {
  opening: number
  closing: number
  moneyIn: number
  moneyOut: number
  held?: number
  available?: number
}

export type StatementDocument = {
  letterhead: Letterhead | undefined
  name: string
  period: string
  timezone: string
  /** Absent: all kinds. */
  kind: string | undefined
  totals: Totals
  /** Taxes billed in addition, as text. */
  taxes: readonly string[]
  lines: { at: string; kind: string; description: string; amount: number; balance: number }[]
}

/** Oldest first. */
export function writeStatementPdf({
  letterhead,
  name,
  period,
  timezone,
  kind,
  totals,
  taxes,
  lines,
}: StatementDocument): Readable {
  const pdf = createPdf(`Statement of ${name}`, letterhead)
  writeTitle(pdf, 'Statement')
  writeFacts(pdf, [
    { label: 'Account', lines: [name] },
    { label: 'Period', lines: [period] },
    { label: 'Times', lines: [timezone] },
  ])
  const { opening, moneyIn, moneyOut, closing, held, available } = totals
  const amount = (label: string, units: number) => ({ label, lines: [`Rs. ${money(units)}`] })
  const moved = [amount('In', moneyIn), amount('Out', moneyOut)]
  writeFacts(
    pdf,
    kind
      ? [{ label: 'Kind', lines: [kind] }, ...moved]
      : [amount('Opening', opening), ...moved, amount('Closing', closing)],
  )
  if (held && !kind)
    writeFacts(pdf, [amount('Reserved for campaigns', held), amount('Available', available ?? 0)], { columns: 4 })
  writeTable(
    pdf,
    [
      { title: `Date (${timezone})`, width: 84 },
      { title: 'Type', width: 58 },
      { title: 'Description', width: 207 },
      { title: 'Amount (Rs.)', width: 75, align: 'right' },
      { title: 'Balance (Rs.)', width: 75, align: 'right' },
    ],
    lines.map(({ at, kind, description, amount, balance }) => [at, kind, description, money(amount), money(balance)]),
  )
  if (taxes.length > 0) writeNote(pdf, taxes)
  pdf.end()
  return pdf
}
