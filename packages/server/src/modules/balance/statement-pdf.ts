import type { Readable } from 'node:stream'
import type { Letterhead } from './letterhead.ts'
import { createPdf, money, writeHeading, writeTable } from './pdf-page.ts'

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
  totals: Totals
  lines: { at: string; kind: string; description: string; amount: number; balance: number }[]
}

/** Oldest first, as on paper. */
export function writeStatementPdf({ letterhead, name, period, timezone, totals, lines }: StatementDocument): Readable {
  const pdf = createPdf(`Statement of ${name}`, letterhead)
  writeHeading(pdf, 'Statement of balance', [
    name,
    `From ${period}`,
    `Opening Rs. ${money(totals.opening)}   In Rs. ${money(totals.moneyIn)}   Out Rs. ${money(totals.moneyOut)}   Closing Rs. ${money(totals.closing)}`,
    ...reserved(totals),
  ])
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
  pdf.end()
  return pdf
}

function reserved({ held, available }: Totals): string[] {
  if (!held || available === undefined) return []
  return [`Reserved for campaigns Rs. ${money(held)}   Available Rs. ${money(available)}`]
}
