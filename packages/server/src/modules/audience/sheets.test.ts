import type { Audience } from '@carillon/contract/audience'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeXlsx } from '../../lib/xlsx-write.ts'
import { buildAdmin, buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let manager: Account

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database, { parent: await buildAdmin(server.database) })
})
afterAll(() => server.close())

async function settled(id: string): Promise<Audience> {
  const get = () => server.ask('audience.get', { as: manager, path: { id } })
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toMatch(/ready|failed/)
  return get()
}

async function check(content: string | Uint8Array, { name = 'people.csv' } = {}): Promise<Audience> {
  return settled(
    (await server.ask('audience.create', { as: manager, body: {}, files: { file: { name, content } } }))._id,
  )
}

async function workbook(sheets: { name: string; rows: string[][] }[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeXlsx(sheets)) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('reads the first sheet with phone numbers, or the chosen one', async () => {
  const content = await workbook([
    { name: 'Notes', rows: [['About this file'], ['Sent by the shop in Pune']] },
    { name: 'Customers', rows: [['Diwali list'], ['Name', 'Mobile'], ['Asha', '9876543210']] },
    {
      name: 'Staff',
      rows: [
        ['Name', 'Mobile'],
        ['Ravi', '9876543211'],
        ['Meera', '9876543212'],
      ],
    },
  ])
  const audience = await check(content, { name: 'people.xlsx' })
  expect(audience).toMatchObject({
    status: 'ready',
    sheets: ['Notes', 'Customers', 'Staff'],
    columns: ['Name', 'Mobile'],
    mapping: { sheet: 'Customers', phoneColumn: 1 },
    hiddenRows: 0,
    accepted: 1,
  })
  const choose = (sheet: string) =>
    server.call('audience.map', { as: manager, path: { id: audience._id }, body: { sheet, defaultCountry: 'IN' } })
  expect(await choose('Nowhere')).toMatchObject({ status: 400, body: { details: [{ field: 'sheet' }] } })
  expect(await choose('Staff')).toMatchObject({ status: 200 })
  expect(await settled(audience._id)).toMatchObject({ mapping: { sheet: 'Staff' }, accepted: 2 })
})

test('rejects a file without a phone number column, with an explanation', async () => {
  expect(await check('Product,Price\nDiya,120\nRangoli,80\n')).toMatchObject({
    status: 'failed',
    columns: ['Product', 'Price'],
    error: expect.stringContaining('No column contains phone numbers'),
  })
})

test('characters that cannot be stored are removed from cells everywhere', async () => {
  const escaped = await workbook([
    {
      name: 'People',
      rows: [
        ['Name_x0000_', 'Mobile'],
        ['Asha_x0000_', '9876543210'],
        ['Ravi_xD83D_', `98765_x0000_${'😀'.repeat(40)}`],
        [`${'x'.repeat(199)}😀`, '9876543211'],
      ],
    },
  ])
  // Excel writes characters invalid in XML as numeric escapes; our own writer escapes such texts.
  const parts = Object.entries(unzipSync(escaped)).map(([path, bytes]): [string, Uint8Array] => [
    path,
    strToU8(strFromU8(bytes).replaceAll('_x005F_', '_')),
  ])
  const content = zipSync(Object.fromEntries(parts))
  const audience = await check(content, { name: 'people.xlsx' })
  expect(audience).toMatchObject({ status: 'ready', columns: ['Name', 'Mobile'], accepted: 2, invalid: 1 })
  expect(audience.sample.slice(0, 2).map(([name]) => name)).toEqual(['Asha', 'Ravi\ufffd'])
  expect(audience.sampleErrors).toMatchObject([{ row: 3, value: `98765${'😀'.repeat(27)}` }])
  const person = await server.call('audience.recipient', { as: manager, path: { id: audience._id, seq: 1 } })
  expect(person.body).toMatchObject({ data: { values: ['x'.repeat(199), '9876543211'] } })
})
