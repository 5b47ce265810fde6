import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAdmin, buildDepartmentHead, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { pdfTexts } from '../../testing/pdf-text.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { buildSent, type SentCampaign } from './test-sent.ts'
import { download, prepare, readCsv, request, today } from './test-reports.ts'

let server: TestServer
let admin: Account
let manager: Account
let head: Account
let user: Account
let foreign: Account
let sent: SentCampaign
let ofUser: SentCampaign

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  head = await buildDepartmentHead(server.database, { parent: manager })
  user = await buildUser(server.database, { parent: head })
  foreign = await buildManager(server.database, { parent: admin })
  sent = await buildSent(server.database, { owner: manager, name: 'Diwali' })
  ofUser = await buildSent(server.database, { owner: user, name: 'Holi' })
  await buildSent(server.database, { owner: foreign, name: 'Onam' })
})
afterAll(() => server.close())

/** One value of the database, without row level security. */
async function valueOf(text: string, values: unknown[]): Promise<number> {
  const { rows } = await server.database.ownerPool.query<{ value: number }>(text, values)
  return Number(rows[0]?.value)
}

const sumOf = (summary: { label: string; value: number }[], label: string) =>
  summary.find((line) => line.label === label)?.value

test('the sums of a summary equal those of messages and of the ledger, with failover and refunds', async () => {
  const report = await prepare(server, { as: manager, campaignId: sent.id })
  const messages = (condition: string) =>
    valueOf(`select count(*) as value from messages where campaign_id = $1 and ${condition}`, [sent.id])
  const paid = await valueOf(
    `select sum(case when kind = 'refund' then -amount else amount end) / 10000.0 as value from ledger_entries
      where reference = $1 and kind in ('capture', 'recharge', 'refund')`,
    [sent.id],
  )
  expect(report).toMatchObject({ status: 'ready', rows: 2, name: `Diwali ${today}`, progress: 100, detailed: false })
  expect(sumOf(report.summary, 'Messages')).toBe(await messages('true'))
  expect(sumOf(report.summary, 'Delivered')).toBe(await messages(`status in ('delivered', 'read')`))
  expect(sumOf(report.summary, 'Failed')).toBe(await messages(`status = 'failed'`))
  expect(sumOf(report.summary, 'Skipped')).toBe(await messages(`status = 'skipped'`))
  expect(sumOf(report.summary, 'Cost (₹)')).toBe(paid)
  expect(sumOf(report.summary, 'Charged (₹)')).toBe(paid + (sumOf(report.summary, 'Refunded (₹)') ?? 0))
  expect(sumOf(report.summary, 'Refunded (₹)')).toBeGreaterThan(0)
  expect(report.daily).toEqual([
    { day: today, submitted: 5, delivered: await messages(`status in ('delivered', 'read')`), failed: 2 },
  ])
  // It is the same in the other types, which count the same messages.
  for (const type of ['campaign_detailed', 'usage_and_billing'] as const) {
    const other = await prepare(server, { as: manager, campaignId: sent.id, type })
    expect(sumOf(other.summary, 'Cost (₹)')).toBe(paid)
  }
})

test('a detailed report has a row for each message, with its leg, its reason in words and the uploaded columns', async () => {
  const { reportId, rows } = await prepare(server, {
    as: manager,
    campaignId: sent.id,
    detailedCampaignReport: true,
    format: 'csv',
  })
  const [header, ...lines] = readCsv((await download(server, manager, reportId)).text)
  expect(lines).toHaveLength(rows)
  expect(header).toEqual([
    'Day',
    'Campaign',
    'Account',
    'Number',
    'Channel',
    'Sender',
    'Template',
    'Leg',
    'Variant',
    'Status',
    'Reason',
    'Code',
    'Parts',
    'Price (₹)',
    'Cost (₹)',
    'Sent at (Asia/Kolkata)',
    'Delivered at (Asia/Kolkata)',
    'Read at (Asia/Kolkata)',
    'Failed at (Asia/Kolkata)',
    'Clicked at (Asia/Kolkata)',
    'Name',
  ])
  const row = (number: string, leg: string) => lines.find((cells) => cells[3] === number && cells[7] === leg)
  const failed = row('919876500001', '1')
  expect(failed?.slice(4, 15)).toEqual([
    'SMS',
    'CARLLN',
    '',
    '1',
    '',
    'Failed',
    'The text does not match its registered template',
    '633',
    '1',
    '0.125',
    '0',
  ])
  expect(row('919876500001', '2')?.slice(4, 15)).toEqual([
    'WhatsApp',
    'Line',
    '',
    '2',
    '',
    'Read',
    '',
    '',
    '1',
    '0.78',
    '0.78',
  ])
  expect(row('919876500000', '1')?.slice(15, 17)).toEqual([`${today} 10:00:00`, `${today} 10:00:02`])
  const clicks = lines.map((cells) => [cells[3], cells[7], cells[19]]).filter(([, , clickedAt]) => clickedAt !== '')
  expect(clicks).toEqual([
    ['919876500000', '1', `${today} 10:30:00`],
    ['919876500001', '2', `${today} 10:30:00`],
  ])
  // Texts that a spreadsheet could execute.
  expect(lines.map((cells) => cells.at(-1))).toEqual(
    expect.arrayContaining(["'=cmd()", "'+1", "'-1", "'@SUM(A1)", '"Q", \\R']),
  )
})

test('the rows of CSV, workbook and JSON are the same, and the workbook begins with the summary', async () => {
  const wanted = { as: manager, campaignId: sent.id, detailedCampaignReport: true } as const
  const files = []
  for (const format of ['csv', 'xlsx', 'json'] as const) {
    const { reportId, checksum, sizeBytes } = await prepare(server, { ...wanted, format })
    const file = await download(server, manager, reportId)
    expect(file.bytes.length).toBe(sizeBytes)
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(file.bytes))).toString('hex')
    expect(digest).toBe(checksum)
    files.push(file)
  }
  const [csv, xlsx, json] = files
  const book = unzipSync(xlsx?.bytes ?? new Uint8Array())
  const sheetNames = [...strFromU8(book['xl/workbook.xml'] ?? new Uint8Array()).matchAll(/name="([^"]+)"/g)]
  expect(sheetNames.map(([, name]) => name)).toEqual(['Summary', 'Report'])
  const cellsOf = (file: string) =>
    [...strFromU8(book[file] ?? new Uint8Array()).matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) =>
      [...(row ?? '').matchAll(/<c\/>|<c[^>]*>(?:<v>|<is><t[^>]*>)(.*?)<\/(?:v|t)>/gs)].map(([, cell]) =>
        readXml(cell),
      ),
    )
  const plain = readCsv(csv?.text ?? '').map((cells) => cells.map((cell) => cell.replace(/^'(?=[=+\-@])/, '')))
  expect(cellsOf('xl/worksheets/sheet1.xml')).toEqual(plain)
  const read = JSON.parse(json?.text ?? '') as {
    columns: { title: string; key: string }[]
    rows: Record<string, string | number | null>[]
    summary: unknown
  }
  expect([
    read.columns.map(({ title }) => title),
    ...read.rows.map((row) => read.columns.map(({ key }) => String(row[key] ?? ''))),
  ]).toEqual(plain)
  const summary = cellsOf('xl/worksheets/sheet2.xml')
  expect(summary).toContainEqual(['Rows', String(plain.length - 1)])
  expect(summary.find(([label]) => label === 'As of')?.[1]).toMatch(/^\d{4}-/)
  const [, costs] = [0, plain.slice(1).reduce((sum, cells) => sum + Number(cells[14]), 0)]
  expect(summary).toContainEqual(['Cost (₹)', String(Number(costs.toFixed(4)))])
})

function readXml(text: string | undefined): string {
  return (text ?? '').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

test('single messages are in the delivery log, and in what an account used', async () => {
  const log = await prepare(server, { as: manager, type: 'delivery_log', format: 'csv' })
  const lines = readCsv((await download(server, manager, log.reportId)).text)
  expect(lines.filter(([, source]) => source === 'API')).toHaveLength(2)
  const usage = await prepare(server, { as: manager, type: 'usage_and_billing' })
  expect(sumOf(usage.summary, 'Cost (₹)')).toBe(sumOf(log.summary, 'Cost (₹)'))
  expect(sumOf(usage.summary, 'Messages')).toBe(log.rows)
  const failures = await prepare(server, { as: manager, type: 'failure_analysis' })
  expect(sumOf(failures.summary, 'Messages')).toBe(
    await valueOf(
      `select count(*) as value from messages where organization_id = $1 and status in ('failed', 'skipped')`,
      [manager.organizationId],
    ),
  )
  const title = failures.columns.findIndex(({ key }) => key === 'reason')
  expect(failures.preview.map((row) => row[title])).toContain('The text does not match its registered template')
})

test('an account sees its own part: a department head that of its users, an admin every organisation', async () => {
  const campaignsOf = async (as: Account) => {
    const { columns, preview } = await prepare(server, { as })
    const at = columns.findIndex(({ key }) => key === 'campaign')
    return [...new Set(preview.map((row) => String(row[at])))].toSorted((one, other) => one.localeCompare(other))
  }
  expect(await campaignsOf(manager)).toEqual(['Diwali', 'Holi'])
  expect(await campaignsOf(head)).toEqual(['Holi'])
  expect(await campaignsOf(user)).toEqual(['Holi'])
  expect(await campaignsOf(foreign)).toEqual(['Onam'])
  expect(await campaignsOf(admin)).toEqual(['Diwali', 'Holi', 'Onam'])
  for (const type of ['delivery_log', 'failure_analysis', 'usage_and_billing'] as const) {
    const own = await prepare(server, { as: head, type })
    const whole = await prepare(server, { as: manager, type })
    const sums = [own, whole].map(({ summary }) => sumOf(summary, type === 'delivery_log' ? 'Rows' : 'Messages') ?? 0)
    expect(sums[0]).toBeGreaterThan(0)
    expect(sums[1]).toBeGreaterThan(sums[0] ?? 0)
  }
  const detailed = await prepare(server, { as: admin, campaignId: ofUser.id, detailedCampaignReport: true })
  expect(detailed.rows).toBe(6)
})

test('reports of others are neither listed nor found, and those of accounts below are', async () => {
  const { reportId } = await prepare(server, { as: head })
  const listed = async (as: Account) => {
    const { reports } = await server.ask('reportFiles.list', { as, query: { limit: 100 } })
    return reports.some((report) => report.reportId === reportId)
  }
  expect(await Promise.all([manager, head, admin].map(listed))).toEqual([true, true, true])
  expect(await Promise.all([user, foreign].map(listed))).toEqual([false, false])
  for (const as of [user, foreign]) {
    for (const name of ['reportFiles.details', 'reportFiles.download', 'reportFiles.delete'] as const)
      expect(await server.call(name, { as, path: { id: reportId } })).toMatchObject({ status: 404 })
    expect(await request(server, { as, campaignId: sent.id })).toMatchObject({
      status: 404,
      body: { message: 'Campaign not found' },
    })
  }
})

test('the same request within a minute is the same report; of another account it is another', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => request(server, { as: manager, name: 'Twice' })))
  const id = first?.data().reportId
  expect(second?.data().reportId).toBe(id)
  expect((await request(server, { as: admin, name: 'Twice' })).data().reportId).not.toBe(id)
  await server.database.ownerPool.query(`update reports set created_at = now() - interval '61 seconds' where id = $1`, [
    id,
  ])
  expect((await request(server, { as: manager, name: 'Twice' })).data().reportId).not.toBe(id)
})

test('a report without rows is ready, with its header and no sums missing', async () => {
  const report = await prepare(server, { as: manager, from: '2030-01-01', to: '2030-12-31', format: 'csv' })
  expect(report).toMatchObject({ status: 'ready', rows: 0, preview: [], daily: [] })
  expect(readCsv((await download(server, manager, report.reportId)).text)).toHaveLength(1)
  expect(sumOf(report.summary, 'Messages')).toBe(0)
})

test('the estimate equals the rows of the report', async () => {
  for (const type of [
    'campaign_summary',
    'campaign_detailed',
    'delivery_log',
    'link_clicks',
    'failure_analysis',
    'usage_and_billing',
  ] as const) {
    const query = { from: today, to: today, channel: 'all', campaignId: 'all', type } as const
    const { rows } = await server.ask('reportFiles.estimate', { as: admin, query })
    expect([type, rows]).toEqual([type, (await prepare(server, { as: admin, type })).rows])
  }
  const old = { from: '2020-01-01', to: '2020-01-02', channel: 'all', campaignId: 'all' } as const
  const detailsSince = async (type: 'campaign_summary' | 'campaign_detailed') =>
    (await server.ask('reportFiles.estimate', { as: manager, query: { ...old, type } })).detailsSince
  expect(await detailsSince('campaign_detailed')).toMatch(/^20/)
  expect(await detailsSince('campaign_summary')).toBeNull()
})

test('figures of a campaign stay when its messages are deleted', async () => {
  const before = await prepare(server, { as: manager, campaignId: sent.id, type: 'campaign_summary' })
  const { rows } = await server.database.ownerPool.query<{ day: string }>(
    `select created_on::text as day from campaigns where id = $1`,
    [sent.id],
  )
  const partition = `messages_${rows[0]?.day.replaceAll('-', '')}`
  await server.database.ownerPool.query(`create table kept as select * from ${partition}`)
  await server.database.ownerPool.query(`truncate ${partition}`)
  const after = await prepare(server, { as: manager, campaignId: sent.id, type: 'campaign_summary', name: 'Later' })
  await server.database.ownerPool.query(`insert into ${partition} select * from kept`)
  expect(after.summary).toEqual(before.summary)
  expect(after.notes).toEqual([])
})

test('a report of figures that differ from the messages says so', async () => {
  await server.database.ownerPool.query(
    `insert into report_mismatches (organization_id, source, day, differences) values ($1, 'days', $2, '{}')`,
    [manager.organizationId, today],
  )
  const { notes } = await prepare(server, { as: manager, name: 'In doubt' })
  expect(notes).toEqual(['1 figure differs from the messages or the ledger, and will be checked.'])
  const other = await prepare(server, { as: manager, from: '2030-01-01', to: '2030-01-02' })
  expect(other.notes).toEqual([])
  await server.database.ownerPool.query('delete from report_mismatches')
})

test('only messages of the channel count', async () => {
  const rows = async (channel: 'sms' | 'whatsapp' | 'rcs') =>
    (await prepare(server, { as: manager, channel, campaignId: sent.id, detailedCampaignReport: true })).rows
  expect([await rows('sms'), await rows('whatsapp'), await rows('rcs')]).toEqual([5, 1, 0])
})

test.each([
  ['to before from', { from: '2026-11-02', to: '2026-11-01' }, 'The last day is before the first'],
  ['367 days', { from: '2025-01-01', to: '2026-01-02' }, 'At most 366 days can be requested at once'],
])('%s is refused', async (_, span, message) => {
  expect(await request(server, { as: manager, ...span })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'to', message }] },
  })
})

test('366 days are not, an unknown channel is', async () => {
  expect(await prepare(server, { as: manager, from: '2025-01-01', to: '2026-01-01' })).toMatchObject({
    status: 'ready',
  })
  const path = { from: today, to: today, channel: 'pigeon', campaignId: 'all' }
  expect(await server.callUnchecked('reportFiles.generate', { as: manager, path, body: {} })).toMatchObject({
    status: 400,
  })
})

test('the bell tells that a report is ready', async () => {
  const { reportId, name } = await prepare(server, { as: foreign, name: 'For the bell' })
  const { notifications } = await server.ask('notifications.list', { as: foreign, query: { limit: 100 } })
  expect(notifications.filter(({ link }) => link?.id === reportId)).toMatchObject([
    { kind: 'report_ready', description: name, link: { type: 'report' } },
  ])
})

test('a PDF has the rows of the report; a report with a row for each message has none', async () => {
  const { reportId, status, sizeBytes } = await prepare(server, { as: manager, campaignId: sent.id, format: 'pdf' })
  expect(status).toBe('ready')
  const file = await download(server, manager, reportId)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(file.bytes).toHaveLength(sizeBytes ?? 0)
  const texts = pdfTexts(file.bytes)
  expect(texts).toEqual(expect.arrayContaining([`Diwali ${today}`, 'As of', 'Page 1']))
  expect(texts.filter((text) => text === 'Diwali')).toHaveLength(3)
  for (const wanted of [{ detailedCampaignReport: true }, { type: 'delivery_log' as const }])
    expect(await request(server, { as: manager, format: 'pdf', ...wanted })).toMatchObject({
      status: 400,
      body: {
        details: [
          { field: 'format', message: 'PDF is not available for reports with a row for each message, click or entry' },
        ],
      },
    })
})

test('the list can be limited to reports with some of these days', async () => {
  const { reportId } = (await request(server, { as: foreign, from: '2026-03-10', to: '2026-03-20' })).data()
  const found = async (query: { from?: string; to?: string }) =>
    (await server.ask('reportFiles.list', { as: foreign, query })).reports.some(
      (report) => report.reportId === reportId,
    )
  expect(await found({ from: '2026-03-20', to: '2026-03-31' })).toBe(true)
  expect(await found({ from: '2026-03-12', to: '2026-03-13' })).toBe(true)
  expect(await found({ to: '2026-03-09' })).toBe(false)
  expect(await found({ from: '2026-03-21' })).toBe(false)
})
