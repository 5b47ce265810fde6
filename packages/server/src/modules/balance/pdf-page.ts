import PDFDocument from 'pdfkit'
import type { Letterhead } from './letterhead.ts'
import { formatRupees } from './rupees.ts'

export type Pdf = InstanceType<typeof PDFDocument>

export type Column = { title: string; width: number; align?: 'left' | 'right' }

const margin = 48
const rowHeight = 20
/** Colours of the product's light theme. */
const ink = '#161b20'
const muted = '#5c646c'
const padding = 5
const hairline = '#e0e4e7'
const band = '#f2f5f6'

type Paper = { size?: 'A4' | 'A3'; layout?: 'portrait' | 'landscape' }

/** Pages in the built-in font, which has no rupee sign: amounts use Rs. */
export function createPdf(
  title: string,
  letterhead: Letterhead | undefined,
  { size = 'A4', layout = 'portrait' }: Paper = {},
): Pdf {
  const pdf = new PDFDocument({
    size,
    layout,
    margin,
    info: { Title: title, ...(letterhead ? { Author: letterhead.name } : {}) },
    compress: true,
  })
  if (letterhead) writeLetterhead(pdf, letterhead)
  return pdf
}

const logoSize = 32

/** Logo or name in the brand's colour, contact, and a rule below. */
function writeLetterhead(pdf: Pdf, { name, color, supportEmail, logo }: Letterhead) {
  const right = pdf.page.width - margin
  if (logo) pdf.image(logo, margin, margin - 8, { fit: [4 * logoSize, logoSize] })
  pdf.font('Helvetica-Bold').fontSize(12).fillColor(color)
  pdf.text(printable(name), margin, margin, { width: right - margin, align: logo ? 'right' : 'left' })
  pdf.font('Helvetica').fontSize(8).fillColor(muted)
  pdf.text(printable(supportEmail), margin, logo ? margin + 15 : margin + 2, { width: right - margin, align: 'right' })
  const bottom = margin + logoSize
  pdf.moveTo(margin, bottom).lineTo(right, bottom).lineWidth(1.5).stroke(color)
  pdf.fillColor(ink)
  pdf.x = margin
  pdf.y = bottom + 16
}

export function writeTitle(pdf: Pdf, title: string): void {
  pdf.font('Helvetica-Bold').fontSize(20).fillColor(ink).text(printable(title))
  pdf.moveDown(0.6)
}

/** Side by side, each below its label. */
export function writeFacts(
  pdf: Pdf,
  facts: readonly { label: string; lines: readonly string[] }[],
  { columns = facts.length } = {},
): void {
  const width = (pdf.page.width - 2 * margin) / columns
  const top = pdf.y
  let bottom = top
  for (const [index, { label, lines }] of facts.entries()) {
    const at = { width: width - 12 }
    pdf.font('Helvetica').fontSize(8).fillColor(muted)
    pdf.text(printable(label), margin + index * width, top, at)
    pdf.moveDown(0.3).fontSize(9.5).fillColor(ink)
    for (const [row, line] of lines.entries()) {
      pdf.font(row === 0 ? 'Helvetica-Bold' : 'Helvetica').text(printable(line), at)
    }
    bottom = Math.max(bottom, pdf.y)
  }
  pdf.x = margin
  pdf.y = bottom + 16
}

/** Right-aligned below the amounts of a table; the last in bold. */
export function writeTotals(pdf: Pdf, totals: readonly (readonly [string, string])[]): void {
  const width = 240
  const columns: Column[] = [
    { title: '', width: width - 110 },
    { title: '', width: 110, align: 'right' },
  ]
  const left = pdf.page.width - margin - width
  if (pdf.y + totals.length * rowHeight > pdf.page.height - margin) pdf.addPage()
  for (const [index, row] of totals.entries()) {
    const isLast = index === totals.length - 1
    if (isLast) drawLine(pdf, { left, y: pdf.y - 4, color: ink })
    pdf.font(isLast ? 'Helvetica-Bold' : 'Helvetica').fontSize(isLast ? 10.5 : 9)
    writeRow(pdf, columns, { row, height: rowHeight, left })
  }
  pdf.x = margin
  pdf.moveDown()
}

export function writeNote(pdf: Pdf, lines: readonly string[]): void {
  pdf.moveDown()
  pdf.font('Helvetica').fontSize(8.5).fillColor(muted)
  for (const line of lines) pdf.text(printable(line), margin)
  pdf.fillColor(ink)
}

/** Rows under a header that repeats on every page. */
export function writeTable(pdf: Pdf, columns: readonly Column[], rows: Iterable<readonly string[]>): void {
  writeHeader(pdf, columns)
  for (const row of rows) writeTableRow(pdf, columns, row)
}

/** A row of a table whose header was written. */
export function writeTableRow(pdf: Pdf, columns: readonly Column[], row: readonly string[]): void {
  const height = Math.max(rowHeight, heightOf(pdf, columns, row) + 10)
  if (pdf.y + height > pdf.page.height - margin) {
    pdf.addPage()
    writeHeader(pdf, columns)
  }
  writeRow(pdf, columns, { row, height, left: margin })
  drawLine(pdf, { left: margin, y: pdf.y - 6, color: hairline })
  pdf.x = margin
}

/** The width between the margins. */
export function tableWidth(pdf: Pdf): number {
  return pdf.page.width - 2 * margin
}

/** The number of each page, in its lower margin. */
export function numberPages(pdf: Pdf): void {
  let page = 0
  const write = () => {
    page += 1
    const { x, y } = pdf
    const { bottom } = pdf.page.margins
    // Text in the margin would begin another page.
    pdf.page.margins.bottom = 0
    pdf.font('Helvetica').fontSize(8).fillColor(muted)
    pdf.text(`Page ${page}`, margin, pdf.page.height - margin / 2, {
      width: tableWidth(pdf),
      align: 'right',
      lineBreak: false,
    })
    pdf.page.margins.bottom = bottom
    pdf.fillColor(ink)
    Object.assign(pdf, { x, y })
  }
  write()
  pdf.on('pageAdded', write)
}

export function money(units: number): string {
  return formatRupees(units)
}

/** Replaces characters missing in Helvetica's encoding with question marks. */
export function printable(text: string): string {
  return text
    .replaceAll('₹', 'Rs. ')
    .replaceAll(/[^\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]/g, '?')
}

export function writeHeader(pdf: Pdf, columns: readonly Column[]) {
  pdf.rect(margin, pdf.y - 6, pdf.page.width - 2 * margin, rowHeight).fill(band)
  pdf.font('Helvetica-Bold').fontSize(8).fillColor(muted)
  writeRow(pdf, columns, { row: columns.map(({ title }) => title), height: rowHeight, left: margin })
  pdf.font('Helvetica').fontSize(8.5).fillColor(ink)
}

function drawLine(pdf: Pdf, { left, y, color }: { left: number; y: number; color: string }) {
  pdf
    .moveTo(left, y)
    .lineTo(pdf.page.width - margin, y)
    .lineWidth(0.5)
    .stroke(color)
}

function heightOf(pdf: Pdf, columns: readonly Column[], row: readonly string[]): number {
  return Math.max(
    ...columns.map(({ width }, index) =>
      pdf.heightOfString(printable(row[index] ?? ''), { width: width - 2 * padding }),
    ),
  )
}

type Row = { row: readonly string[]; height: number; left: number }

function writeRow(pdf: Pdf, columns: readonly Column[], { row, height, left }: Row) {
  const top = pdf.y
  let place = left
  for (const [index, { width, align = 'left' }] of columns.entries()) {
    pdf.text(printable(row[index] ?? ''), place + padding, top, { width: width - 2 * padding, align })
    place += width
  }
  pdf.x = margin
  pdf.y = top + height
}
