import { expect, test } from 'vitest'
import { pdfTexts } from '../../testing/pdf-text.ts'
import type { ReportColumn } from './report-columns.ts'
import { createTally } from './tally.ts'
import { writePdf } from './write-pdf.ts'

const columns: ReportColumn[] = [
  { key: 'campaign', title: 'Campaign', unit: 'text', value: 'campaign' },
  { key: 'messages', title: 'Messages', unit: 'count', value: 'messages', isSummed: true },
]

async function write(count: number): Promise<string[]> {
  async function* rows() {
    yield await Promise.resolve(
      Array.from({ length: count }, (_, row) => ['2026-11-01', 2, 1, 0, `Campaign ${row}`, 2]),
    )
  }
  const pieces: Uint8Array[] = []
  const facts = [['As of', '2026-11-27T10:00:00Z']] as const
  const content = { name: 'Campaigns', columns, facts, rows: rows(), tally: createTally(columns), notes: ['A note'] }
  for await (const piece of writePdf({ ...content, letterhead: undefined })) pieces.push(piece)
  return pdfTexts(Buffer.concat(pieces))
}

test('a PDF has title, time, sums and notes, then every row, under a header on each numbered page', async () => {
  const texts = await write(100)
  expect(texts).toEqual(expect.arrayContaining(['Campaigns', '2026-11-27T10:00:00Z', 'A note', 'Page 1', 'Page 5']))
  // Its sum.
  expect(texts).toContain('200')
  expect(texts.filter((text) => /^Campaign \d+$/.test(text))).toEqual(
    Array.from({ length: 100 }, (_, row) => `Campaign ${row}`),
  )
  const pages = texts.filter((text) => text.startsWith('Page ')).length
  expect(texts.filter((text) => text === 'Campaign')).toHaveLength(pages)
})

test('a PDF without rows is a page', async () => {
  expect(await write(0)).toContain('Page 1')
})

test('a PDF that would be too long fails with words', async () => {
  await expect(write(5001)).rejects.toThrow('A PDF has at most 5,000 rows. Choose fewer days, or another format.')
})
