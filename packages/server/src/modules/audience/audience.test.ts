import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Audience } from '@carillon/contract/audience'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { writeXlsx } from '../../lib/xlsx-write.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { resumeAudiences } from './check-audience.ts'

let server: TestServer
let admin: Account
let manager: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  foreign = await buildManager(server.database, { parent: admin })
})
afterAll(() => server.close())

async function create(content: string | Uint8Array, { name = 'people.csv', as = manager } = {}): Promise<Audience> {
  const answer = await server.call('audience.create', { as, body: {}, files: { file: { name, content } } })
  expect(answer).toMatchObject({ status: 200, body: { data: { status: 'reading' } } })
  return answer.data()
}

const get = (id: string, as = manager) => server.ask('audience.get', { as, path: { id } })

async function settled(id: string): Promise<Audience> {
  await expect.poll(async () => (await get(id)).status, { timeout: 20_000 }).toMatch(/ready|failed/)
  return get(id)
}

const check = async (content: string | Uint8Array, options: { name?: string } = {}) =>
  settled((await create(content, options))._id)

function recipientsOf(id: string) {
  return asSystem(server.database, (db) =>
    db
      .selectFrom('recipients')
      .select(['seq', 'phone', 'variables'])
      .where('audience_id', '=', id)
      .orderBy('seq')
      .execute(),
  )
}

const mixed = [
  'Name,Mobile,City',
  'Asha,9876543210,Pune',
  '"Ravi, Sr","+91 98765-43211","Navi\nMumbai"',
  'Twice,098765 43210,Delhi',
  'Nobody,,Agra',
  'Short,123,Agra',
  'Lost,9.87654E+09,Agra',
].join('\r\n')

test('every row gets a result, and the four counts add up', async () => {
  const audience = await check(mixed)
  expect(audience).toMatchObject({
    status: 'ready',
    format: 'csv',
    columns: ['Name', 'Mobile', 'City'],
    mapping: { phoneColumn: 1, defaultCountry: 'IN' },
    total: 6,
    accepted: 2,
    invalid: 3,
    duplicate: 1,
    suppressed: 0,
    processed: 6,
    percent: 100,
    hasRejects: true,
  })
  expect(audience.sample[0]).toEqual(['Asha', '9876543210', 'Pune'])
  expect(audience.sampleErrors.map(({ row, code }) => [row, code])).toEqual([
    [4, 'duplicate'],
    [5, 'empty'],
    [6, expect.any(String)],
    [7, 'scientific_notation'],
  ])
  expect(await recipientsOf(audience._id)).toEqual([
    { seq: 0, phone: 919_876_543_210, variables: ['Asha', '9876543210', 'Pune'] },
    { seq: 1, phone: 919_876_543_211, variables: ['Ravi, Sr', '+91 98765-43211', 'Navi\nMumbai'] },
  ])
})

test('accepted recipients can be read by position', async () => {
  const { _id: id } = await check(mixed)
  const person = (seq: number, as = manager) => server.call('audience.recipient', { as, path: { id, seq } })
  expect((await person(1)).body).toMatchObject({
    data: { seq: 1, total: 2, phoneNumber: '+919876543211', values: ['Ravi, Sr', '+91 98765-43211', 'Navi\nMumbai'] },
  })
  expect(await person(2)).toMatchObject({ status: 404, body: { message: 'Recipient not found' } })
  expect(await person(1, foreign)).toMatchObject({ status: 404, body: { message: 'Audience not found' } })
  expect(await person(-1)).toMatchObject({ status: 400 })
})

const countriesOf = (id: string) =>
  asSystem(server.database, async (db) => {
    const { countries } = await db
      .selectFrom('audiences')
      .select('countries')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return countries
  })

test('recipients are grouped by country, in file order', async () => {
  const abroad = [
    '+14155552671',
    '9876543210',
    '+14155552672',
    '+870773111632',
    '9876543211',
    '9876543212',
    '+14155552673',
  ]
  const audience = await check(['Phone', ...abroad].join('\n'))
  expect(audience).toMatchObject({ status: 'ready', accepted: 7 })
  expect(await countriesOf(audience._id)).toEqual([
    { country: 'IN', lo: 0, hi: 3 },
    { country: 'US', lo: 3, hi: 6 },
    { country: '001', lo: 6, hi: 7 },
  ])
  expect((await recipientsOf(audience._id)).map(({ seq, phone }) => [seq, phone])).toEqual([
    [0, 919_876_543_210],
    [1, 919_876_543_211],
    [2, 919_876_543_212],
    [3, 14_155_552_671],
    [4, 14_155_552_672],
    [5, 14_155_552_673],
    [6, 870_773_111_632],
  ])
})

test('opted-out people stay in the audience: each campaign skips them for its own channel', async () => {
  const optedOut = Array.from({ length: 3 }, (_, index) => 971_501_234_560 + index)
  await asSystem(server.database, (db) =>
    db
      .insertInto('opt_outs')
      .values(
        optedOut.map((phone) => ({ organization_id: manager.organizationId, channel: 'sms', phone, keyword: 'STOP' })),
      )
      .execute(),
  )
  const rows = ['Phone', ...optedOut.map((phone) => `+${phone}`), '+14155552671', '9876543210', '+14155552672', '']
  const audience = await check(rows.join('\n'))
  expect(audience).toMatchObject({ status: 'ready', accepted: 6, suppressed: 0, sampleErrors: [] })
  expect(await countriesOf(audience._id)).toEqual([
    { country: 'AE', lo: 0, hi: 3 },
    { country: 'US', lo: 3, hi: 5 },
    { country: 'IN', lo: 5, hi: 6 },
  ])
})

test('recipients of a country that occurs late in a large file can be read', async () => {
  const numbers = Array.from({ length: 6000 }, (_, index) =>
    index > 2500 && index % 3 === 0 ? `+4474001${String(10_000 + index)}` : `98765${String(10_000 + index)}`,
  )
  const audience = await check(['Phone', ...numbers].join('\n'))
  const british = numbers.filter((number) => number.startsWith('+44'))
  const indian = numbers.length - british.length
  expect(audience).toMatchObject({ status: 'ready', accepted: 6000 })
  expect(await countriesOf(audience._id)).toEqual([
    { country: 'IN', lo: 0, hi: indian },
    { country: 'GB', lo: indian, hi: 6000 },
  ])
  const recipients = await recipientsOf(audience._id)
  expect(recipients.map(({ seq }) => seq)).toEqual(Array.from({ length: 6000 }, (_, seq) => seq))
  expect(recipients.slice(indian).map(({ phone }) => `+${phone}`)).toEqual(british)
})

test('the rejected rows can be downloaded, with formulas disarmed', async () => {
  const audience = await check('Phone,Name\n9876543210,A\n=1+1,B\n9876543210,C\n')
  const answer = await server.call('audience.rejects', { as: manager, path: { id: audience._id } })
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  expect(answer.text.replace('\ufeff', '').split('\r\n')).toEqual([
    'Row,Value,Reason,Suggestion',
    expect.stringMatching(/^3,'=1\+1,/),
    '4,9876543210,Duplicate of row 2,',
    '',
  ])
  expect(
    await server.call('audience.rejects', { as: manager, path: { id: (await check('Phone\n9876543210'))._id } }),
  ).toMatchObject({ status: 404 })
})

test('a workbook is read like a CSV, whatever its file name', async () => {
  const pieces: Uint8Array[] = []
  for await (const piece of writeXlsx([
    {
      name: 'People',
      rows: [
        ['Mobile', 'Name'],
        ['9876543210', 'Asha'],
        [9_876_543_211, 'Ravi'],
        ['x', 'Nobody'],
      ],
    },
  ]))
    pieces.push(piece)
  expect(await check(Buffer.concat(pieces), { name: 'people.csv' })).toMatchObject({
    status: 'ready',
    format: 'xlsx',
    columns: ['Mobile', 'Name'],
    total: 3,
    accepted: 2,
    invalid: 1,
  })
})

test('pasted numbers need no file', async () => {
  expect(
    await settled(
      (
        await server.ask('audience.create', {
          as: manager,
          body: { numbers: '9876543210, 9876543211\n9876543210\nabc' },
        })
      )._id,
    ),
  ).toMatchObject({
    status: 'ready',
    format: 'pasted',
    columns: ['Phone number'],
    total: 4,
    accepted: 2,
    duplicate: 1,
    invalid: 1,
  })
  expect(await server.call('audience.create', { as: manager, body: { numbers: ' ' } })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'file', message: 'Choose a file or paste numbers' }] },
  })
})

test('values with quotes, backslashes, tabs and line breaks are stored unchanged', async () => {
  const cell = 'a "quoted" \\ back\\slash {brace}, tab\there \\N end'
  const audience = await check(`Phone,Text\n9876543210,"${cell.replaceAll('"', '""')}"\n9876543211,"two\r\nlines"\n`)
  expect((await recipientsOf(audience._id)).map(({ variables }) => variables[1])).toEqual([cell, 'two\r\nlines'])
})

describe('unreadable files fail with an explanation', () => {
  test.each([
    ['a picture that is called a CSV', Buffer.from('89504e470d0a1a0a0000', 'hex'), /not a CSV or XLSX/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel file/],
    ['a torn zip', Buffer.from('504b030414000000080000', 'hex'), /damaged|not a CSV/],
    ['a header alone', 'Phone,Name\n', /has no rows/],
    ['three hundred columns', `${'a,'.repeat(300)}b\n`, /256 columns/],
  ])('%s', async (_, content, words) => {
    const audience = await check(content)
    expect(audience).toMatchObject({ status: 'failed', error: expect.stringMatching(words), accepted: 0 })
    expect(await recipientsOf(audience._id)).toEqual([])
  })
})

test('changing column and country reads the file again from scratch', async () => {
  const audience = await check('Work,Home\n9876543210,2025550101\n9876543211,2025550102\n9876543211,2025550103\n')
  expect(audience).toMatchObject({ mapping: { phoneColumn: 0 }, accepted: 2, duplicate: 1 })
  const mapped = await server.call('audience.map', {
    as: manager,
    path: { id: audience._id },
    body: { phoneColumn: 1, defaultCountry: 'US' },
  })
  expect(mapped).toMatchObject({ status: 200, body: { data: { status: 'reading', total: 0, accepted: 0 } } })
  expect(await settled(audience._id)).toMatchObject({
    status: 'ready',
    mapping: { phoneColumn: 1, defaultCountry: 'US' },
    total: 3,
    accepted: 3,
    duplicate: 0,
    hasRejects: false,
  })
  expect((await recipientsOf(audience._id)).map(({ phone }) => phone)).toEqual([
    12_025_550_101, 12_025_550_102, 12_025_550_103,
  ])
  expect(
    await server.call('audience.map', {
      as: manager,
      path: { id: audience._id },
      body: { phoneColumn: 2, defaultCountry: 'US' },
    }),
  ).toMatchObject({ status: 400, body: { details: [{ field: 'phoneColumn' }] } })
})

test('an audience used by a campaign cannot be read again', async () => {
  const audience = await check('Phone\n9876543210\n')
  await asSystem(server.database, (db) =>
    db
      .insertInto('campaigns')
      .values({
        organization_id: manager.organizationId,
        id: newId(),
        path: manager.path,
        name: 'Running',
        channel: 'sms',
        status: 'running',
        audience_id: audience._id,
        created_by: manager.id,
      })
      .execute(),
  )
  expect(
    await server.call('audience.map', {
      as: manager,
      path: { id: audience._id },
      body: { phoneColumn: 0, defaultCountry: 'US' },
    }),
  ).toMatchObject({ status: 409 })
  expect(await get(audience._id)).toMatchObject({ status: 'ready', mapping: { defaultCountry: 'IN' } })
})

test("another organisation's audience is not found", async () => {
  const audience = await check('Phone\n9876543210\n')
  const absent = await server.call('audience.get', { as: foreign, path: { id: newId() } })
  expect(absent).toMatchObject({ status: 404, body: { message: 'Audience not found' } })
  const user = await buildUser(server.database, { parent: manager })
  for (const as of [foreign, user])
    expect((await server.call('audience.get', { as, path: { id: audience._id } })).body).toEqual(absent.body)
  expect(
    await server.call('audience.map', { as: foreign, path: { id: audience._id }, body: { phoneColumn: 0 } }),
  ).toMatchObject({ status: 404 })
  expect(await server.call('audience.rejects', { as: foreign, path: { id: audience._id } })).toMatchObject({
    status: 404,
  })
})

test('an admin has no audiences', async () => {
  expect(await server.call('audience.create', { as: admin, body: { numbers: '1' } })).toMatchObject({ status: 403 })
})

test('an interrupted validation is resumed without leftovers of the first run', async () => {
  const audience = await check(mixed)
  // State left by a process killed after loading and before recording it.
  await asSystem(server.database, async (db) => {
    await db
      .updateTable('audiences')
      .set({ status: 'checking', accepted: 1, total: 1 })
      .where('id', '=', audience._id)
      .execute()
  })
  await resumeAudiences({ database: server.database })
  expect(await settled(audience._id)).toMatchObject({
    status: 'ready',
    total: 6,
    accepted: 2,
    invalid: 3,
    duplicate: 1,
  })
  expect(await recipientsOf(audience._id)).toHaveLength(2)
})
