import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { csvLine } from '../../../lib/csv-write.ts'
import { writeXlsx } from '../../../lib/xlsx-write.ts'
import { createRowChecker } from './check-rows.ts'
import { guessColumns } from './columns.ts'
import { createScanner, parseCsv } from './csv.ts'
import { openAudienceFile, readPastedNumbers } from './open-audience-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'carillon-reading-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function read(content: Uint8Array | string): Promise<string[][]> {
  const path = join(directory, `${Math.random()}`)
  writeFileSync(path, content)
  const rows: string[][] = []
  for await (const batch of (await openAudienceFile(path)).rows()) rows.push(...batch.rows)
  return rows
}

const table = [['phone', 'name'], ['9876543210', 'Asha'], ['9876543211', 'Ravi, Jr']]

test.each([
  ['commas', 'phone,name\n9876543210,Asha\n9876543211,"Ravi, Jr"\n'],
  ['semicolons and CRLF', 'phone;name\r\n9876543210;Asha\r\n9876543211;Ravi, Jr'],
  ['tabs', 'phone\tname\n9876543210\tAsha\n9876543211\tRavi, Jr\n'],
  ['a byte order mark', '\ufeffphone,name\n9876543210,Asha\n9876543211,"Ravi, Jr"\n'],
  ['empty lines between', 'phone,name\n\n9876543210,Asha\n\n\n9876543211,"Ravi, Jr"\n\n'],
])('reads a file with %s', async (_, text) => {
  expect(await read(text)).toEqual(table)
})

test('reads UTF-16 in both byte orders', async () => {
  const text = '\ufeffphone,name\n9876543210,आशा\n'
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  expect(await read(little)).toEqual([['phone', 'name'], ['9876543210', 'आशा']])
  expect(await read(big)).toEqual([['phone', 'name'], ['9876543210', 'आशा']])
})

test('reads Windows-1252 where the bytes are no UTF-8', async () => {
  expect(await read(Buffer.from('phone,name\n9876543210,Jos\xe9\n', 'latin1'))).toEqual([['phone', 'name'], ['9876543210', 'José']])
})

test('reads line breaks and doubled quotes inside quotes', () => {
  expect(parseCsv('a,"two\r\nlines",c\n1,"say ""hi""",3\n', ',')).toEqual([['a', 'two\r\nlines', 'c'], ['1', 'say "hi"', '3']])
})

test('whatever was written with quotes is read back, however it is cut into pieces', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab,;"\n\r 1é'), maxLength: 8 })
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(rows, fc.array(fc.nat(40), { maxLength: 12 }), (written, cuts) => {
      const text = written.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\r\n')
      const scanner = createScanner(',')
      let at = 0
      for (const cut of cuts) {
        scanner.push(text.slice(at, at + cut))
        at += cut
      }
      scanner.push(text.slice(at))
      scanner.end()
      expect(scanner.take(Number.POSITIVE_INFINITY)).toEqual(written)
    }),
  )
})

test('an export with a formula in it is disarmed, and read back as it was', () => {
  const line = csvLine(['=HYPERLINK("x")', '+91', 'plain'])
  expect(line).toBe(`"'=HYPERLINK(""x"")",'+91,plain\r\n`)
})

async function xlsx(rows: (string | number)[][]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeXlsx([{ name: 'Sheet', rows }])) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('reads a workbook, numbers as the person saw them', async () => {
  expect(await read(await xlsx([['phone', 'name'], [919876543210, 'Asha & <Co>']]))).toEqual([['phone', 'name'], ['919876543210', 'Asha & <Co>']])
})

test('reads shared, rich and missing cells of a workbook', async () => {
  const book = zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="A" sheetId="1" r:id="rId7"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8('<Relationships><Relationship Id="rId7" Target="worksheets/first.xml"/></Relationships>'),
    'xl/sharedStrings.xml': strToU8('<sst><si><t>phone</t></si><si><r><t>Ra</t></r><r><t>vi</t></r></si></sst>'),
    'xl/worksheets/first.xml': strToU8('<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="2"><c r="A2"><v>9.19876543210E11</v></c></row></sheetData></worksheet>'),
  })
  expect(await read(book)).toEqual([['phone', '', 'Ravi'], ['919876543210']])
})

test.each([
  ['an image renamed to .csv', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1'), 'not_text'],
  ['a PDF renamed to .csv', '%PDF-1.7\n', 'not_text'],
  ['binary bytes', Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 37) % 251)), 'not_text'],
  ['an old Excel file', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'legacy_excel'],
  ['an empty file', '', 'empty'],
  ['a truncated workbook', Buffer.from(zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') })).subarray(0, 40), 'broken_zip'],
  ['an archive of something else', zipSync({ 'hello.txt': strToU8('hello') }), 'not_text'],
  ['a zip bomb', zipSync({ 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': new Uint8Array(50 * 1024 * 1024) }), 'zip_bomb'],
  ['a million columns', 'x,'.repeat(1_000_000), 'too_many_columns'],
])('refuses %s in words', async (_, content, code) => {
  await expect(read(content)).rejects.toMatchObject({ name: 'UnreadableFile', code })
})

test.each([
  ['by its name', [['Name', 'Mobile No'], ['Asha', '9876543210']], { hasHeader: true, names: ['Name', 'Mobile No'], phoneColumn: 1 }],
  ['by what it holds', [['Asha', '9876543210'], ['Ravi', '9876543211']], { hasHeader: false, names: ['Column 1', 'Column 2'], phoneColumn: 1 }],
  ['among two columns of one name', [['x', 'x', 'मोबाइल'], ['1', '2', '9876543210']], { hasHeader: true, names: ['x', 'x 2', 'मोबाइल'], phoneColumn: 2 }],
  ['in a list of numbers alone', [['9876543210'], ['9876543211']], { hasHeader: false, names: ['Column 1'], phoneColumn: 0 }],
])('finds the phone column %s', (_, rows, expected) => {
  expect(guessColumns(rows, 'IN')).toEqual(expected)
})

test('reads pasted numbers in lines and between commas', () => {
  expect(readPastedNumbers('9876543210, 9876543211\n+91 98765 43212\n\n')).toEqual([['9876543210'], ['9876543211'], ['+91 98765 43212']])
})

test('every row ends in exactly one of four ways', () => {
  const check = createRowChecker({ phoneColumn: 0, defaultCountry: 'IN', width: 2, isOptedOut: (phone) => phone === 919876543212 })
  const kinds = [['9876543210', ' Asha '], ['+91 98765 43210', 'Again'], ['x', ''], ['9876543212', '']].map((row, index) => check(row, index + 2))
  expect(kinds).toEqual([
    { kind: 'accepted', phone: 919876543210, values: ['9876543210', 'Asha'] },
    { kind: 'duplicate', phone: 919876543210, firstRow: 2, value: '+91 98765 43210' },
    { kind: 'invalid', reason: 'not_a_number', value: 'x' },
    { kind: 'suppressed', phone: 919876543212, value: '9876543212' },
  ])
})
