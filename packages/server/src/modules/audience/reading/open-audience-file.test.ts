import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { openAudienceFile, readPastedNumbers } from './open-audience-file.ts'
import type { RowBatch } from './rows.ts'

const directory = mkdtempSync(join(tmpdir(), 'carillon-reading-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function write(content: Uint8Array | string): string {
  const path = join(directory, randomUUID())
  writeFileSync(path, content)
  return path
}

async function readBatches(content: Uint8Array | string): Promise<RowBatch[]> {
  const file = await openAudienceFile(write(content))
  const batches: RowBatch[] = []
  for await (const batch of file.rows()) batches.push(batch)
  return batches
}

async function read(content: Uint8Array | string): Promise<string[][]> {
  return (await readBatches(content)).flatMap(({ rows }) => rows)
}

const text = 'phone;name\n9876543210;José\n9876543211;"Ravi; Jr"\n'
const rows = [
  ['phone', 'name'],
  ['9876543210', 'José'],
  ['9876543211', 'Ravi; Jr'],
]

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['UTF-16 LE without a mark', Buffer.from(text, 'utf16le')],
  ['UTF-16 BE without a mark', Buffer.from(text, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from(text, 'latin1')],
  ["Excel's hint", Buffer.from(`sep=;\r\n${text}`)],
])('reads %s', async (_, content) => {
  expect(await read(content)).toEqual(rows)
})

test('decodes characters specific to Windows-1252', async () => {
  expect(await read(Buffer.from([0x41, 0x80, 0x2c, 0x93, 0x94]))).toEqual([['A€', '“”']])
})

test('a non-UTF-8 byte far into the file decides its encoding', async () => {
  const content = Buffer.concat([
    Buffer.from(`phone,name\n${'9876543210,Asha\n'.repeat(20_000)}`),
    Buffer.from('1,Jos\xe9', 'latin1'),
  ])
  expect((await read(content)).at(-1)).toEqual(['1', 'José'])
})

test('a character split between two pieces is decoded correctly', async () => {
  const content = `phone,name\n${'9876543210,आशा देवी\n'.repeat(20_000)}`
  const names = new Set((await read(content)).slice(1).map(([, name]) => name))
  expect(names).toEqual(new Set(['आशा देवी']))
})

test.each([
  [',', 'phone,name\n1,"a;b"\n'],
  [';', 'phone;amount\n9876543210;12,50\n9876543211;13,50\n'],
  [';', '9876543210;12,50\n'],
  [',', '9876543210,Hello; there\n'],
  ['\t', 'phone\tname\n1\ta,b\n'],
  ['|', 'phone|name\n1|a,b\n'],
  [',', 'phone\n9876543210\n'],
])('finds the delimiter %j of %j', async (delimiter, content) => {
  expect(await openAudienceFile(write(content))).toMatchObject({ format: 'csv', delimiter })
})

test('numbers rows as the spreadsheet does, and terminates', async () => {
  const batches = await readBatches(`phone\n\n${'9876543210\n'.repeat(30_000)}`)
  const numbers = batches.flatMap((batch) => batch.numbers)
  expect(batches.length).toBeGreaterThan(1)
  expect([numbers[0], numbers[1], numbers.at(-1)]).toEqual([1, 3, 30_002])
  expect(batches.at(-1)?.share).toBe(1)
})

const ole = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1')

test.each([
  ['an image renamed to .csv', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1'), 'not_text'],
  ['a PDF renamed to .csv', '%PDF-1.7\n', 'not_text'],
  ['a web page', '\n<html><table><tr><td>9876543210', 'not_text'],
  ['JSON', '[{"phone": "9876543210"}]', 'not_text'],
  ['binary bytes', Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 37) % 251)), 'not_text'],
  [
    'a text with binary at its end',
    Buffer.concat([Buffer.from('9876543210\n'.repeat(10_000)), Buffer.alloc(8)]),
    'not_text',
  ],
  ['a code page that is not ours', Buffer.from([0x31, 0x2c, 0x81, 0x40, 0x8d, 0x0a]), 'bad_encoding'],
  [
    'half a character at the end of UTF-16',
    Buffer.concat([Buffer.from('\ufeff1,2', 'utf16le'), Buffer.from([1])]),
    'bad_encoding',
  ],
  ['an old Excel file', ole, 'legacy_excel'],
  [
    'a workbook with a password',
    Buffer.concat([ole, Buffer.alloc(3000), Buffer.from('EncryptedPackage', 'utf16le')]),
    'encrypted',
  ],
  ['an empty file', '', 'empty'],
  ['an archive of something else', zipSync({ 'hello.txt': strToU8('hello') }), 'not_text'],
  ['a million columns', 'x,'.repeat(1_000_000), 'too_many_columns'],
  ['more rows than a million and a header', '1\n'.repeat(1_000_002), 'too_many_rows'],
  ['more than 100 MB', Buffer.alloc(100 * 1024 * 1024 + 1, '9876543210\n'), 'too_large'],
])('rejects %s with a message', async (_, content, code) => {
  await expect(read(content)).rejects.toMatchObject({
    name: 'UnreadableFile',
    code,
    message: expect.stringMatching(/^\S.*\w/),
  })
})

test.each([
  [
    'in lines and between commas',
    '9876543210, 9876543211\n+91 98765 43212\n\n',
    ['9876543210', '9876543211', '+91 98765 43212'],
  ],
  ['between spaces', '9876543210 9876543211 +919876543212', ['9876543210', '9876543211', '+919876543212']],
  ['with spaces inside', '98765 43210\r\n98765 43211', ['98765 43210', '98765 43211']],
  ['with nothing in them', ' \n,;\t', []],
])('reads pasted numbers %s', (_, pasted, numbers) => {
  expect(readPastedNumbers(pasted)).toEqual(numbers.map((number) => [number]))
})
