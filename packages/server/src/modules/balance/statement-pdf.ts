import type { Readable } from 'node:stream'
import type { Letterhead } from './letterhead.ts'
import { createPdf, money, writeHeading, writeTable } from './pdf-page.ts'

export type StatementDocument = {
  letterhead: Letterhead | undefined
  name: string
  period: string
  statement: { opening: number; closing: number; moneyIn: number; moneyOut: number }
  lines: { at: string; kind: string; description: string; amount: number; balance: number }[]
}

/** Oldest first, as on paper. */
export function writeStatementPdf({ letterhead, name, period, statement, lines }: StatementDocument): Readable {
  const pdf = createPdf(`Statement of ${name}`, letterhead)
  writeHeading(pdf, 'Statement of balance', [
    name,
    `From ${period}`,
    `Opening Rs. ${money(statement.opening)}   In Rs. ${money(statement.moneyIn)}   Out Rs. ${money(statement.moneyOut)}   Closing Rs. ${money(statement.closing)}`,
  ])
  writeTable(
    pdf,
    [
      { title: 'Date', width: 84 },
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
