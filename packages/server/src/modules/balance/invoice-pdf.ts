import type { Readable } from 'node:stream'
import { nameState } from '@carillon/contract/gst-states'
import { formatPrice } from './rupees.ts'
import type { InvoiceLine, InvoiceParty } from './invoice-lines.ts'
import type { Letterhead } from './letterhead.ts'
import { createPdf, money, writeFacts, writeNote, writeTable, writeTitle, writeTotals } from './pdf-page.ts'

export type InvoiceDocument = {
  letterhead: Letterhead | undefined
  number: string
  /** First day of the billed month. */
  month: string
  issuedOn: string
  issuer: InvoiceParty
  billed: InvoiceParty
  lines: InvoiceLine[]
  subtotal: number
  tax: number
  total: number
}

export function writeInvoicePdf(invoice: InvoiceDocument): Readable {
  const { letterhead, number, issuedOn, month, issuer, billed, lines, subtotal, tax, total } = invoice
  const items = lines.filter(({ kind }) => kind === 'item')
  const taxes = lines.filter(({ kind }) => kind === 'tax')
  const pdf = createPdf(`Invoice ${number}`, letterhead)
  writeTitle(pdf, taxes.length > 0 ? 'Tax invoice' : 'Invoice')
  writeFacts(pdf, [
    { label: 'Invoice number', lines: [number] },
    { label: 'Invoice date', lines: [formatDay(issuedOn)] },
    { label: 'Period', lines: [formatMonth(month)] },
    { label: 'Place of supply', lines: [billed.placeOfSupply ? nameState(billed.placeOfSupply) : '-'] },
  ])
  writeFacts(pdf, [
    { label: 'From', lines: partyLines(issuer) },
    { label: 'Billed to', lines: partyLines(billed) },
  ])
  writeTable(
    pdf,
    [
      { title: 'Description', width: 214 },
      { title: 'SAC', width: 50 },
      { title: 'Units', width: 65, align: 'right' },
      { title: 'Rate (Rs.)', width: 75, align: 'right' },
      { title: 'Amount (Rs.)', width: 95, align: 'right' },
    ],
    items.map(({ description, units, rate, amount }) => [
      description,
      issuer.sacCode,
      units ? units.toLocaleString('en-IN') : '-',
      rate ? formatPrice(rate).replace('₹', '') : '-',
      money(amount),
    ]),
  )
  writeTotals(pdf, [
    [taxes.length > 0 ? 'Taxable value' : 'Subtotal', money(subtotal)],
    ...taxes.map(({ description, amount }): [string, string] => [description, money(amount)]),
    ['Total', `Rs. ${money(total)}`],
  ])
  writeNote(pdf, [
    `Rs. ${money(subtotal)} was paid from the balance while the messages were sent.`,
    ...(tax > 0 ? [`The tax of Rs. ${money(tax)} was not taken from the balance.`] : []),
    'This invoice was generated electronically and needs no signature.',
  ])
  pdf.end()
  return pdf
}

function partyLines({ name, legalName, address, gstin, stateCode }: InvoiceParty): string[] {
  return [
    legalName || name,
    ...address.split('\n'),
    gstin && `GSTIN ${gstin}`,
    stateCode && `State ${nameState(stateCode)}`,
  ].filter((line) => line !== '')
}

const dayFormat = new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const formatDay = (day: string) => dayFormat.format(new Date(`${day.slice(0, 10)}T12:00:00Z`))

/** Example: October 2026 */
export const formatMonth = (month: string) => monthFormat.format(new Date(`${month.slice(0, 10)}T12:00:00Z`))
