import PDFDocument from 'pdfkit'
import type { Letterhead } from './letterhead.ts'
import { formatRupees } from './rupees.ts'

export type Pdf = InstanceType<typeof PDFDocument>

export type Column = { title: string; width: number; align?: 'left' | 'right' }

const margin = 48
const rowHeight = 18

/** An A4 page in the built-in font, which has no rupee sign: amounts say Rs. instead. */
export function createPdf(title: string, letterhead: Letterhead | undefined): Pdf {
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: title, ...(letterhead ? { Author: letterhead.name } : {}) },
    compress: true,
  })
  if (letterhead) writeLetterhead(pdf, letterhead)
  return pdf
}

const logoSize = 32

/** The logo or the name in the brand's colour, whom to ask, and a line under both. */
function writeLetterhead(pdf: Pdf, { name, color, supportEmail, logo }: Letterhead) {
  const right = pdf.page.width - margin
  if (logo) pdf.image(logo, margin, margin - 8, { fit: [4 * logoSize, logoSize] })
  pdf.font('Helvetica-Bold').fontSize(12).fillColor(color)
  pdf.text(printable(name), margin, margin, { width: right - margin, align: logo ? 'right' : 'left' })
  pdf.font('Helvetica').fontSize(8).fillColor('#444')
  pdf.text(printable(supportEmail), margin, logo ? margin + 15 : margin + 2, { width: right - margin, align: 'right' })
  const bottom = margin + logoSize
  pdf.moveTo(margin, bottom).lineTo(right, bottom).lineWidth(1.5).stroke(color)
  pdf.fillColor('#000')
  pdf.x = margin
  pdf.y = bottom + 16
}

export function writeHeading(pdf: Pdf, title: string, lines: readonly string[]): void {
  pdf.font('Helvetica-Bold').fontSize(16).text(printable(title))
  pdf.font('Helvetica').fontSize(9).fillColor('#444')
  for (const line of lines) pdf.text(printable(line))
  pdf.fillColor('#000').moveDown()
}

/** Rows under a header that stands on every page again. */
export function writeTable(pdf: Pdf, columns: readonly Column[], rows: Iterable<readonly string[]>): void {
  writeHeader(pdf, columns)
  for (const row of rows) {
    const height = Math.max(rowHeight, heightOf(pdf, columns, row) + 6)
    if (pdf.y + height > pdf.page.height - margin) {
      pdf.addPage()
      writeHeader(pdf, columns)
    }
    writeRow(pdf, columns, { row, height })
  }
  pdf.x = margin
}

export function money(units: number): string {
  return formatRupees(units)
}

/** What Helvetica's encoding can show; the rest becomes a question mark rather than a wrong letter. */
export function printable(text: string): string {
  return text
    .replaceAll('₹', 'Rs. ')
    .replaceAll(/[^\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]/g, '?')
}

function writeHeader(pdf: Pdf, columns: readonly Column[]) {
  pdf.font('Helvetica-Bold').fontSize(8)
  writeRow(pdf, columns, { row: columns.map(({ title }) => title), height: rowHeight })
  pdf
    .moveTo(margin, pdf.y - 4)
    .lineTo(pdf.page.width - margin, pdf.y - 4)
    .lineWidth(0.5)
    .stroke('#888')
  pdf.font('Helvetica').fontSize(8).fillColor('#000')
}

function heightOf(pdf: Pdf, columns: readonly Column[], row: readonly string[]): number {
  return Math.max(
    ...columns.map(({ width }, index) => pdf.heightOfString(printable(row[index] ?? ''), { width: width - 6 })),
  )
}

function writeRow(pdf: Pdf, columns: readonly Column[], { row, height }: { row: readonly string[]; height: number }) {
  const top = pdf.y
  let left = margin
  for (const [index, { width, align = 'left' }] of columns.entries()) {
    pdf.text(printable(row[index] ?? ''), left, top, { width: width - 6, align })
    left += width
  }
  pdf.x = margin
  pdf.y = top + height
}
