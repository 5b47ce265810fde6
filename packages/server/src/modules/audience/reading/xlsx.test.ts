import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { writeXlsx } from '../../../lib/xlsx-write.ts'
import type { RowBatch } from './rows.ts'
import { listSheets, readXlsx } from './xlsx.ts'

const directory = mkdtempSync(join(tmpdir(), 'carillon-xlsx-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function collect<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entry of entries) all.push(entry)
  return all
}

async function readBatches(content: Uint8Array): Promise<RowBatch[]> {
  const path = join(directory, randomUUID())
  writeFileSync(path, content)
  return collect(readXlsx(path))
}

async function read(content: Uint8Array): Promise<string[][]> {
  return (await readBatches(content)).flatMap(({ rows }) => rows)
}

async function written(rows: (string | number)[][]): Promise<Uint8Array> {
  return Buffer.concat(await collect(writeXlsx([{ name: 'Sheet', rows }])))
}

type Parts = { rows: string; shared?: string; styles?: string; workbook?: string; after?: string }

/** A workbook of hand-written parts. */
function book({
  rows,
  shared = '',
  styles,
  workbook = '<sheet name="A" sheetId="1" r:id="rId7"/>',
  after = '',
}: Parts): Uint8Array {
  return zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets>${workbook}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="rId6" Target="worksheets/other.xml"/><Relationship Target="/xl/worksheets/first.xml" Id="rId7"/></Relationships>',
    ),
    'xl/sharedStrings.xml': strToU8(`<sst>${shared}</sst>`),
    ...(styles ? { 'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`) } : {}),
    'xl/worksheets/other.xml': strToU8('<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>'),
    'xl/worksheets/first.xml': strToU8(
      `<worksheet><cols><col min="1"/></cols><sheetData>${rows}</sheetData>${after}</worksheet>`,
    ),
  })
}

test('reads numbers and texts as written', async () => {
  expect(
    await read(
      await written([
        ['phone', 'name'],
        [919876543210, 'Asha & <Co>'],
      ]),
    ),
  ).toEqual([
    ['phone', 'name'],
    ['919876543210', 'Asha & <Co>'],
  ])
})

test('reads back any text', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...Array.from('ab<>&"\'\n é😀न')), minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 20 }),
      async (rows) => {
        expect(await read(await written(rows))).toEqual(rows)
      },
    ),
    { numRuns: 50 },
  )
})

test.each([
  [
    'shared, rich and missing cells',
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>',
    ['phone', '', 'Ravi'],
  ],
  ['phonetic runs, which are left out', '<row><c t="s"><v>2</v></c></row>', ['東京']],
  ['characters that XML cannot carry', '<row><c t="inlineStr"><is><t>a_x000A_b</t></is></c></row>', ['a\nb']],
  ['characters by number', '<row><c t="inlineStr"><is><t>&#2360;&#x939;</t></is></c></row>', ['सह']],
  ['texts of formulas', '<row><c t="str"><f>A1&amp;"x"</f><v>a&amp;x</v></c></row>', ['a&x']],
  ['truths and errors', '<row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>', ['TRUE', '#N/A']],
  ['a long number', '<row><c><v>9.19876543210E11</v></c></row>', ['919876543210']],
  ['a number with the noise of binary', '<row><c><v>0.30000000000000004</v></c></row>', ['0.3']],
  ['cells after an empty one of one tag', '<row><c r="A1" s="3"/><c r="B1"><v>2</v></c></row>', ['', '2']],
  ['a day', '<row><c s="1"><v>46347</v></c></row>', ['21-11-2026']],
  [
    'a day and time in a format of its own',
    '<row><c s="2"><v>46347.604166666664</v></c></row>',
    ['21 Nov 2026 at 2:30 PM'],
  ],
  ['an amount, which is no day', '<row><c s="3"><v>46347.5</v></c></row>', ['46347.5']],
  ['single quotes around attributes', "<row r='1'><c r='B1' t='s'><v>0</v></c></row>", ['', 'phone']],
])('reads %s', async (_, row, cells) => {
  const shared =
    '<si><t>phone</t></si><si><r><rPr><color rgb="1"/></rPr><t>Ra</t></r><r><t xml:space="preserve">vi</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>とうきょう</t></rPh></si>'
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="[$-409]d\\ mmm\\ yyyy&quot; at &quot;h:mm\\ AM/PM;@"/><numFmt numFmtId="171" formatCode="#,##0.00\\ [$USD]"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>'
  expect(await read(book({ rows: row, shared, styles }))).toEqual([cells])
})

test('counts rows as the sheet does, skips blank rows, ignores data after the rows', async () => {
  const rows =
    '<row r="3"><c r="A3"><v>1</v></c></row><row r="4"/><row r="5"><c r="A5" s="1"/></row><row r="9"><c r="A9"><v>2</v></c><c r="XFD9" s="1"/></row>'
  const batches = await readBatches(book({ rows, after: `<rowBreaks>${'<brk id="1"/>'.repeat(9000)}</rowBreaks>` }))
  expect(batches).toEqual([{ rows: [['1'], ['2']], numbers: [3, 9], hidden: 0, share: 1 }])
})

test('reads the first visible sheet', async () => {
  const workbook = '<sheet name="H" sheetId="1" state="hidden" r:id="rId7"/><sheet name="S" sheetId="2" r:id="rId6"/>'
  expect(await read(book({ rows: '', workbook }))).toEqual([['1']])
})

test('reads a workbook with prefixed names', async () => {
  const content = zipSync({
    'xl/workbook.xml': strToU8('<x:workbook><x:sheets><x:sheet name="A" r:id="rId1"/></x:sheets></x:workbook>'),
    'xl/worksheets/sheet1.xml': strToU8(
      '<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    ),
  })
  expect(await read(content)).toEqual([['7']])
})

/** A workbook with an uncompressed sheet, so that single bytes can be changed. */
function stored(rows: string): Buffer {
  const parts = {
    'xl/workbook.xml': strToU8('<workbook/>'),
    'xl/worksheets/sheet1.xml': strToU8(`<sheetData>${rows}</sheetData>`),
  }
  return Buffer.from(zipSync(parts, { level: 0 }))
}

test('rejects damaged data', async () => {
  const content = stored('<row><c><v>9876543210</v></c></row>')
  content.write('9876543211', content.indexOf('9876543210'))
  await expect(read(content)).rejects.toMatchObject({ code: 'broken_zip' })
})

test('a file larger than declared is cut off', async () => {
  const content = Buffer.from(
    zipSync({ 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': strToU8(' '.repeat(5000)) }),
  )
  const directoryEntry = content.lastIndexOf('xl/worksheets/sheet1.xml') - 46
  content.writeUInt32LE(10, directoryEntry + 24)
  await expect(read(content)).rejects.toMatchObject({ code: 'zip_bomb' })
})

const workbookPart = { 'xl/workbook.xml': strToU8('<workbook/>') }

test.each([
  ['a truncated workbook', () => Buffer.from(zipSync(workbookPart)).subarray(0, 40), 'broken_zip'],
  ['a workbook without a sheet', () => zipSync(workbookPart), 'no_sheet'],
  [
    'a zip bomb',
    () => zipSync({ ...workbookPart, 'xl/worksheets/sheet1.xml': new Uint8Array(8 * 1024 * 1024) }),
    'zip_bomb',
  ],
  [
    'an archive of thousands of files',
    () => zipSync(Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`${index}`, new Uint8Array()]))),
    'zip_bomb',
  ],
  ['a cell in column 257', () => stored('<row r="2"><c r="IW2"><v>1</v></c></row>'), 'too_many_columns'],
  ['a row without end', () => stored(`<row>${'<c/>'.repeat(600_000)}`), 'row_too_long'],
  ['a cell without end', () => stored('<row><c r="A1"><v>1</v></row>'), 'broken_zip'],
])('rejects %s with a message', async (_, build, code) => {
  await expect(read(build())).rejects.toMatchObject({ name: 'UnreadableFile', code })
})

test('lists the visible sheets, and reads the requested one', async () => {
  const workbook =
    '<sheet name="Notes" sheetId="1" r:id="rId6"/><sheet name="Old" sheetId="2" state="hidden" r:id="rId6"/><sheet name="People &amp; phones" sheetId="3" r:id="rId7"/>'
  const path = join(directory, randomUUID())
  writeFileSync(path, book({ rows: '<row><c><v>9876543210</v></c></row>', workbook }))
  expect(await listSheets(path)).toEqual(['Notes', 'People & phones'])
  const rows = async (sheet?: string) => (await collect(readXlsx(path, sheet))).flatMap((batch) => batch.rows)
  expect(await rows()).toEqual([['1']])
  expect(await rows('People & phones')).toEqual([['9876543210']])
  await expect(rows('Old')).rejects.toThrow('no sheet of this name')
})

test('counts hidden rows and keeps the format of percentages and booleans', async () => {
  const rows =
    '<row r="1"><c s="1"><v>0.15</v></c><c t="b"><v>1</v></c></row><row r="2" hidden="1"><c s="0"><v>0.15</v></c><c t="b"><v>0</v></c></row>'
  const styles = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="9"/></cellXfs>'
  expect(await readBatches(book({ rows, styles }))).toEqual([
    {
      rows: [
        ['15%', 'TRUE'],
        ['0.15', 'FALSE'],
      ],
      numbers: [1, 2],
      hidden: 1,
      share: 1,
    },
  ])
})
