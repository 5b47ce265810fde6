import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { writeXlsx, type Sheet, type XlsxOptions } from './xlsx-write.ts'

async function write(sheets: Sheet[], options?: XlsxOptions): Promise<Record<string, string>> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeXlsx(sheets, options)) pieces.push(piece)
  const files = unzipSync(Buffer.concat(pieces))
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)]))
}

function sheetNames(files: Record<string, string>): string[] {
  return Array.from((files['xl/workbook.xml'] ?? '').matchAll(/<sheet name="([^"]*)"/g), ([, name = '']) => name)
}

test.each([
  ['a number', 12.5, '<c><v>12.5</v></c>'],
  ['nothing', undefined, '<c/>'],
  ['what is no number in a sheet', Number.NaN, 'NaN</t>'],
  ['a formula, as text', '=1+1', '<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>'],
  ['signs of XML', '<a & "b">', '&lt;a &amp; &quot;b&quot;&gt;'],
  ['characters that XML cannot carry', 'a\u0000b\u0007\ud800', '>ab\ufffd<'],
  ['a carriage return', 'a\r\nb', 'a&#13;\nb'],
  ['text that looks like a code of Excel', '_x0041_', '_x005F_x0041_'],
])('writes %s', async (...[, cell, xml]) => {
  const files = await write([{ name: 'Sheet', rows: [[cell]] }])
  expect(files['xl/worksheets/sheet1.xml']).toContain(xml)
})

test('rows beyond the sheet limit continue in another sheet', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => [index])
  const files = await write(
    [
      { name: 'Report', rows },
      { name: 'Other', rows: [] },
    ],
    { rowsPerSheet: 2 },
  )
  expect(sheetNames(files)).toEqual(['Report', 'Report 2', 'Report 3', 'Other'])
  expect([1, 2, 3, 4].map((number) => files[`xl/worksheets/sheet${number}.xml`]?.split('<row>').length)).toEqual([
    3, 3, 2, 1,
  ])
})

test('a sheet that is written last can be shown first', async () => {
  const files = await write(
    [
      { name: 'Report', rows: [['a'], ['b']] },
      { name: 'Summary', rows: [['2 rows']], isShownFirst: true },
    ],
    { rowsPerSheet: 1 },
  )
  expect(sheetNames(files)).toEqual(['Summary', 'Report', 'Report 2'])
  const [first] =
    /<sheet name="Summary" sheetId="\d+" r:id="rId(\d+)"/.exec(files['xl/workbook.xml'] ?? '')?.slice(1) ?? []
  expect(files[`xl/worksheets/sheet${first}.xml`]).toContain('2 rows')
})

test('sheet names are valid in Excel and unique', async () => {
  const names = ['a/b:c', "'", 'x'.repeat(40), 'X'.repeat(40), 'A & B']
  const files = await write(names.map((name) => ({ name, rows: [] })))
  expect(sheetNames(files)).toEqual(['a b c', 'Sheet', 'x'.repeat(31), `${'X'.repeat(29)} 2`, 'A &amp; B'])
})

test('streams a long sheet', async () => {
  let taken = 0
  function* rows() {
    for (; taken < 50_000; taken += 1) yield [taken, `Customer ${taken}`]
  }
  for await (const piece of writeXlsx([{ name: 'Long', rows: rows() }])) {
    expect(piece.length).toBeGreaterThan(0)
    break
  }
  expect(taken).toBeLessThan(5000)
})
