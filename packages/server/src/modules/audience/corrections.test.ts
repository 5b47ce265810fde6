import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maximumCorrections, type Audience } from '@carillon/contract/audience'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { resumeAudiences } from './check-audience.ts'

let server: TestServer
let manager: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  const admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  foreign = await buildManager(server.database, { parent: admin })
})
afterAll(() => server.close())

async function settled(id: string): Promise<Audience> {
  const get = () => server.ask('audience.get', { as: manager, path: { id } })
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toMatch(/ready|failed/)
  return get()
}

async function check(lines: readonly string[], body: { channel?: 'sms' | 'whatsapp' } = {}): Promise<Audience> {
  const file = { name: 'people.csv', content: lines.join('\n') }
  return settled((await server.ask('audience.create', { as: manager, body, files: { file } }))._id)
}

type Body = { automatic?: boolean; rows?: { row: number; phoneNumber: string }[] }

const correct = (id: string, body: Body, as = manager) => server.call('audience.correct', { as, path: { id }, body })

async function corrected(id: string, body: Body): Promise<Audience> {
  expect(await correct(id, body)).toMatchObject({ status: 200, body: { data: { status: 'reading' } } })
  return settled(id)
}

function recipientsOf(id: string) {
  return asSystem(server.database, (db) =>
    db.selectFrom('recipients').select(['phone', 'variables']).where('audience_id', '=', id).orderBy('seq').execute(),
  )
}

const rejectsOf = ({ sampleErrors }: Audience) =>
  sampleErrors.map(({ row, code, suggestion }) => [row, code, ...(suggestion ? [suggestion] : [])])

const flawed = [
  'Phone,Name',
  '9876543210,Asha',
  '99O0417722,Ravi',
  'tel: 98765 43210 (home),Asha again',
  '98450 1120,Short',
  '9.87654E+09,Lost',
  '080 4123 9900,Shop',
  '9876543210,Asha third',
]

test('suggestions are listed, counted over the whole file, applied at once and undone', async () => {
  const audience = await check(flawed)
  expect(audience).toMatchObject({ accepted: 1, invalid: 5, duplicate: 1, fixable: 2 })
  expect(audience.corrections).toEqual({ automatic: false, automaticRows: 0, rows: [] })
  expect(rejectsOf(audience)).toEqual([
    [3, 'not_a_number', '+919900417722'],
    [4, 'not_a_number', '+919876543210'],
    [5, 'impossible'],
    [6, 'scientific_notation'],
    [7, 'landline'],
    [8, 'duplicate'],
  ])
  expect(audience.sampleErrors.map(({ message }) => message).slice(0, 4)).toEqual([
    'Letter in place of a digit',
    'Text beside the number',
    '9 digits, a mobile has 10',
    expect.stringMatching(/^The spreadsheet has shortened this number/),
  ])

  const fixed = await corrected(audience._id, { automatic: true })
  expect(fixed).toMatchObject({ total: 7, accepted: 2, invalid: 3, duplicate: 2, fixable: 0, emptyCells: [0, 0] })
  expect(fixed.corrections).toEqual({
    automatic: true,
    automaticRows: 2,
    rows: [
      { row: 3, value: '99O0417722', phoneNumber: '+919900417722', automatic: true },
      { row: 4, value: 'tel: 98765 43210 (home)', phoneNumber: '+919876543210', automatic: true },
    ],
  })
  expect(fixed.sampleErrors.find(({ row }) => row === 4)).toMatchObject({
    code: 'duplicate',
    value: 'tel: 98765 43210 (home)',
    message: 'Duplicate of row 2',
  })
  expect(await recipientsOf(audience._id)).toEqual([
    { phone: 919_876_543_210, variables: ['9876543210', 'Asha'] },
    { phone: 919_900_417_722, variables: ['+919900417722', 'Ravi'] },
  ])
  expect((await server.ask('audience.rows', { as: manager, path: { id: audience._id } })).rows[1]).toEqual({
    row: 3,
    values: ['99O0417722', 'Ravi'],
  })

  const withdrawn = await corrected(audience._id, { automatic: false })
  expect({ ...withdrawn, createdAt: '' }).toEqual({ ...audience, createdAt: '' })
})

test('every fixable row counts, however many there are', async () => {
  const people = Array.from({ length: 3000 }, (_, index) => `98765O${String(1000 + index)}`)
  const audience = await check(['Phone,Name', ...people])
  expect(audience).toMatchObject({ accepted: 0, invalid: 3000, fixable: 3000 })
  expect(audience.sampleErrors).toHaveLength(20)
  const fixed = await corrected(audience._id, { automatic: true })
  expect(fixed).toMatchObject({ accepted: 3000, invalid: 0, fixable: 0, hasRejects: false })
  expect(fixed.corrections).toMatchObject({ automaticRows: 3000 })
  expect(fixed.corrections.rows).toHaveLength(20)
})

test('correctable rows are listed before duplicates, in file order', async () => {
  const lines = ['Phone', '9876543210', ...Array.from({ length: 30 }, () => '9876543210'), '12345']
  const audience = await check(lines)
  expect(audience).toMatchObject({ duplicate: 30, invalid: 1 })
  expect(rejectsOf(audience).at(-1)).toEqual([33, 'too_short'])
  expect(audience.sampleErrors).toHaveLength(20)
})

test('a typed number replaces the cell, overrides the suggestion, and can be undone', async () => {
  const audience = await check(flawed)
  const fixed = await corrected(audience._id, {
    automatic: true,
    rows: [
      { row: 3, phoneNumber: '99004 17733' },
      { row: 5, phoneNumber: '+1 (415) 555-2671' },
      { row: 6, phoneNumber: '98765 43210' },
    ],
  })
  expect(fixed).toMatchObject({ accepted: 3, invalid: 1, duplicate: 3 })
  expect(fixed.corrections).toEqual({
    automatic: true,
    automaticRows: 1,
    rows: [
      { row: 3, value: '99O0417722', phoneNumber: '+919900417733' },
      { row: 4, value: 'tel: 98765 43210 (home)', phoneNumber: '+919876543210', automatic: true },
      { row: 5, value: '98450 1120', phoneNumber: '+14155552671' },
      { row: 6, value: '9.87654E+09', phoneNumber: '+919876543210' },
    ],
  })
  expect((await recipientsOf(audience._id)).map(({ phone }) => phone)).toEqual([
    919_876_543_210, 919_900_417_733, 14_155_552_671,
  ])
  // Row 6 is now a duplicate; a row with a typed number can get another one.
  const changed = await corrected(audience._id, {
    rows: [
      { row: 6, phoneNumber: '9900417734' },
      { row: 5, phoneNumber: '' },
    ],
  })
  expect(changed).toMatchObject({ accepted: 3, invalid: 2, duplicate: 2 })
  expect(changed.corrections.rows.map(({ row }) => row)).toEqual([3, 4, 6])
})

test('the rejected rows are downloaded with their suggestions', async () => {
  const { _id: id } = await check(flawed)
  const lines = async () =>
    (await server.call('audience.rejects', { as: manager, path: { id } })).text.replace('\ufeff', '').split('\r\n')
  expect((await lines()).slice(0, 2)).toEqual([
    'Row,Value,Reason,Suggestion',
    "3,99O0417722,Letter in place of a digit,'+919900417722",
  ])
  await corrected(id, { automatic: true, rows: [{ row: 5, phoneNumber: '98450 11208' }] })
  expect((await lines()).map((line) => line.split(',')[0])).toEqual(['Row', '4', '6', '7', '8', ''])
})

test('for WhatsApp a landline can be typed; only mobiles are suggested', async () => {
  const audience = await check(['Phone', '9876543210', 'office: 020 2567 1234'], { channel: 'whatsapp' })
  expect(audience).toMatchObject({ invalid: 1, fixable: 0 })
  const fixed = await corrected(audience._id, { rows: [{ row: 3, phoneNumber: '020 2567 1234' }] })
  expect(fixed).toMatchObject({ accepted: 2, invalid: 0 })
})

test('an interrupted validation is resumed with its corrections', async () => {
  const audience = await check(flawed)
  await corrected(audience._id, { automatic: true, rows: [{ row: 5, phoneNumber: '98450 11208' }] })
  await asSystem(server.database, (db) =>
    db.updateTable('audiences').set({ status: 'checking', accepted: 0 }).where('id', '=', audience._id).execute(),
  )
  await resumeAudiences({ database: server.database })
  expect(await settled(audience._id)).toMatchObject({ accepted: 3, corrections: { automatic: true, automaticRows: 2 } })
})

describe('another mapping', () => {
  const map = async (id: string, body: { phoneColumn: number; defaultCountry: string }) => {
    expect(await server.call('audience.map', { as: manager, path: { id }, body })).toMatchObject({ status: 200 })
    return settled(id)
  }
  const lines = ['Work,Home', '9876543210,9876543220', '98450 1120,9876543221', '9876543212,98450 1120']

  test('keeps typed numbers when the country changes, and drops them when the column changes', async () => {
    const audience = await check(lines)
    await corrected(audience._id, { rows: [{ row: 3, phoneNumber: '98450 11208' }] })
    const abroad = await map(audience._id, { phoneColumn: 0, defaultCountry: 'US' })
    expect(abroad.corrections.rows).toMatchObject([{ row: 3, phoneNumber: '+919845011208' }])
    const home = await map(audience._id, { phoneColumn: 1, defaultCountry: 'IN' })
    expect(home).toMatchObject({ accepted: 2, invalid: 1, corrections: { automatic: false, rows: [] } })
  })
})

describe('rejected', () => {
  test.each([
    ['123', 'The number is too short'],
    ['unknown', 'This is not a phone number'],
    ['080 4123 9900', 'This is a landline, which cannot receive SMS'],
  ])('a typed %s is rejected at its field, and nothing is changed', async (phoneNumber, message) => {
    const { _id: id } = await check(flawed)
    const answer = await correct(id, {
      automatic: true,
      rows: [
        { row: 3, phoneNumber: '9900417733' },
        { row: 5, phoneNumber },
      ],
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { message, details: [{ field: 'rows.1.phoneNumber', message }] },
    })
    expect(await settled(id)).toMatchObject({ accepted: 1, corrections: { automatic: false, rows: [] } })
  })

  test.each([
    [2, 'accepted'],
    [7, 'a landline'],
    [8, 'a duplicate'],
    [99, 'not in the file'],
  ])('row %d, which is %s', async (row) => {
    const { _id: id } = await check(flawed)
    expect(await correct(id, { rows: [{ row, phoneNumber: '9900417733' }] })).toMatchObject({
      status: 400,
      body: {
        details: [{ field: 'rows.0.row', message: `Row ${row} is not among the rejected rows that can be corrected` }],
      },
    })
  })

  test('more typed numbers than an audience can have', async () => {
    const { _id: id } = await check(flawed)
    const rows = Array.from({ length: maximumCorrections }, (_, row) => ({
      row: row + 100,
      phoneNumber: '+919900417733',
    }))
    await asSystem(server.database, (db) =>
      db
        .updateTable('audiences')
        .set({ corrections: JSON.stringify({ automatic: false, rows }) })
        .where('id', '=', id)
        .execute(),
    )
    expect(await correct(id, { rows: [{ row: 5, phoneNumber: '9900417733' }] })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'rows', message: expect.stringMatching(/^An audience can have 200 typed numbers/) }] },
    })
  })

  test('while the rows are checked, but not the same corrections again', async () => {
    const { _id: id } = await check(flawed)
    await corrected(id, { automatic: true })
    await asSystem(server.database, (db) =>
      db.updateTable('audiences').set({ status: 'checking' }).where('id', '=', id).execute(),
    )
    expect(await correct(id, { automatic: true })).toMatchObject({ status: 200 })
    expect(await correct(id, { automatic: false })).toMatchObject({
      status: 409,
      body: { message: 'Numbers can be corrected once the rows are checked' },
    })
  })

  test('for a saved audience and for one used by a campaign past its draft', async () => {
    const saved = await check(flawed)
    await server.call('savedAudiences.save', { as: manager, path: { id: saved._id }, body: { name: 'Members' } })
    expect(await correct(saved._id, { automatic: true })).toMatchObject({ status: 409 })

    const used = await check(flawed)
    await asSystem(server.database, (db) =>
      db
        .insertInto('campaigns')
        .values({
          organization_id: manager.organizationId,
          id: newId(),
          path: manager.path,
          name: 'Tomorrow',
          channel: 'sms',
          status: 'scheduled',
          audience_id: used._id,
          created_by: manager.id,
        })
        .execute(),
    )
    expect(await correct(used._id, { automatic: true })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('no longer a draft uses this audience') },
    })
    expect(await settled(used._id)).toMatchObject({ accepted: 1, fixable: 2 })
  })

  test("for another account's audience, as not found", async () => {
    const { _id: id } = await check(flawed)
    expect(await correct(id, { automatic: true }, foreign)).toMatchObject({
      status: 404,
      body: { message: 'Audience not found' },
    })
  })
})
