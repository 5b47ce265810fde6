import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findChannelNames } from './channel-names.ts'
import { findCycles } from './cycles.ts'
import { importRules, moduleLine } from './import-rules.ts'
import { findCallsInTransactions, findUnmarkedEndpoints, findUnmarkedJobs } from './provider-calls.ts'
import { readSources, type Source } from './sources.ts'
import { findForeignWrites, sharedTables, tablesByOwner } from './table-owners.ts'

const complaints = (from: string, to: string) => importRules.flatMap((rule) => rule(from, to) ?? [])
const server = 'packages/server/src'
const web = 'packages/web/src'

test.each([
  [`${server}/db/pool.ts`, `${server}/http/mount.ts`],
  [`${server}/lib/ids.ts`, `${server}/config.ts`],
  [`${server}/modules/balance/holds.ts`, `${server}/app.ts`],
  [`${server}/modules/balance/holds.ts`, `${server}/wiring/links.ts`],
  [`${server}/modules/balance/holds.ts`, `${server}/modules/campaigns/index.ts`],
  [`${server}/modules/campaigns/start.ts`, `${server}/modules/balance/holds.ts`],
  [`${server}/app.ts`, `${server}/modules/balance/holds.ts`],
  [`${server}/channels/sms/smpp/session.ts`, `${server}/db/pool.ts`],
  [`${server}/channels/sms/smpp/session.ts`, `${server}/channels/sms/http-gateway/provider.ts`],
  [`${server}/modules/messages/lane.ts`, `${server}/channels/sms/smpp/session.ts`],
  [`${server}/channels/sms/sms-channel.ts`, `${server}/modules/senders/index.ts`],
  [`${server}/channels/sms/sms-channel.ts`, `${server}/channels/sms/calls/sms-accounts.ts`],
  [`${server}/channels/sms/calls/sms-accounts.ts`, `${server}/modules/senders/lines.ts`],
  [`${server}/channels/sms/calls/sms-accounts.ts`, `${server}/wiring/links.ts`],
  [`${server}/channels/sms/calls/sms-accounts.ts`, `${server}/channels/sms/smpp/session.ts`],
  [`${server}/channels/sms/calls/sms-accounts.ts`, `${server}/channels/whatsapp/message.ts`],
  [`${server}/modules/senders/handlers.ts`, `${server}/channels/sms/calls/sms-accounts.ts`],
  [`${server}/wiring/calls.ts`, `${server}/channels/sms/calls/sms-accounts.ts`],
  [`${server}/app.ts`, `${server}/channels/calls.ts`],
  [`${server}/http/mount.ts`, `${server}/testing/server.ts`],
  [`${server}/http/mount.ts`, `${web}/lib/call.ts`],
  ['packages/contract/src/auth.ts', `${server}/lib/ids.ts`],
  ['packages/simulator/src/main.ts', 'packages/contract/src/auth.ts'],
  [`${web}/features/campaigns/list.tsx`, `${web}/features/chats/page.tsx`],
  [`${web}/ui/button.tsx`, `${web}/features/chats/page.tsx`],
  [`${web}/lib/call.ts`, `${web}/ui/button.tsx`],
  [`${web}/ui/button.tsx`, `${web}/channels/channel-mark.tsx`],
  [`${web}/features/overview/kpis.tsx`, `${web}/channels/sms/sender-name.ts`],
  [`${web}/app/routes.tsx`, `${web}/channels/sms/accounts/sms-accounts-page.tsx`],
  [`${web}/channels/parts/picker.tsx`, `${web}/channels/sms/sender-name.ts`],
  [`${web}/channels/phone/mini-phone.tsx`, `${web}/channels/sms/phone/sms-screen.tsx`],
  [`${web}/channels/channel-mark.tsx`, `${web}/channels/sms/sender-name.ts`],
  [`${web}/channels/whatsapp/campaigns/failover.tsx`, `${web}/channels/sms/sender-name.ts`],
  [`${web}/channels/whatsapp/index.ts`, `${web}/features/overview/kpis.tsx`],
])('%s may not import %s', (from, to) => {
  expect(complaints(from, to)).toHaveLength(1)
})

test.each([
  [`${server}/http/mount.ts`, `${server}/db/pool.ts`],
  [`${server}/modules/campaigns/start.ts`, `${server}/modules/balance/index.ts`],
  [`${server}/app.ts`, `${server}/wiring/calls.ts`],
  [`${server}/wiring/calls.ts`, `${server}/modules/balance/index.ts`],
  [`${server}/modules/messages/lane.ts`, `${server}/channels/index.ts`],
  [`${server}/channels/sms/calls/sms-accounts.ts`, `${server}/modules/senders/index.ts`],
  [`${server}/channels/sms/calls/sms-accounts.ts`, `${server}/channels/sms/build-content.ts`],
  [`${server}/channels/sms/calls/sms-accounts.ts`, `${server}/http/handlers.ts`],
  [`${server}/wiring/calls.ts`, `${server}/channels/calls.ts`],
  [`${server}/modules/balance/balance.test.ts`, `${server}/testing/server.ts`],
  [`${server}/http/mount.ts`, 'packages/contract/src/index.ts'],
  [`${web}/features/campaigns/list.tsx`, `${web}/ui/button.tsx`],
  [`${web}/features/overview/kpis.tsx`, `${web}/channels/index.ts`],
  [`${web}/features/overview/kpis.tsx`, `${web}/channels/channel-mark.tsx`],
  [`${web}/features/overview/kpis.tsx`, `${web}/channels/phone/mini-phone.tsx`],
  [`${web}/app/routes.tsx`, `${web}/channels/screens.ts`],
  [`${web}/channels/index.ts`, `${web}/channels/sms/index.ts`],
  [`${web}/channels/sms/index.ts`, `${web}/channels/sms/phone/sms-phone.tsx`],
  [`${web}/channels/whatsapp/campaigns/failover.tsx`, `${web}/channels/index.ts`],
  [`${web}/features/campaigns/list.test.ts`, `${web}/channels/sms/sender-name.ts`],
])('%s may import %s', (from, to) => {
  expect(complaints(from, to)).toEqual([])
})

test('finds every import cycle and nothing else', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', []],
  ])
  expect(findCycles(graph).map((ring) => ring.toSorted())).toEqual([['a', 'b', 'c']])
})

test.each([
  ['const price = smsPriceOf(rates)', 'sms'],
  ["import { smsPhone } from './sms-phone.tsx'", 'sms'],
  ["if (kind === 'sms_account.created') return", 'sms'],
  ['/** SMS has no read receipts. */', 'SMS'],
  ['const isWhatsapp = true', 'Whatsapp'],
  ['type WhatsAppAccount = { id: string }', 'Whatsapp'],
  ["call('waCampaigns.list', {})", 'wa'],
  ["call('wabas.list', {})", 'wabas'],
  ['const RCS_LIMIT = 1', 'RCS'],
  ["const order = ['voice']", "'voice'"],
])('%s names a channel', (text, name) => {
  expect(findChannelNames({ path: `${web}/lib/prices.ts`, text })).toEqual([`${web}/lib/prices.ts:1 ${name}`])
})

test.each([
  'const doublePressMs = 600',
  'const mechanisms = paramsOf(items)',
  'the SMSC of an operator',
  "route: 'GET /api/v1/sms/accounts',",
  'const water = await waves()',
])('%s names no channel', (text) => {
  expect(findChannelNames({ path: `${web}/lib/prices.ts`, text })).toEqual([])
})

test.each([
  `${web}/channels/sms/phone/sms-phone.tsx`,
  `${web}/channels/index.ts`,
  `${server}/channels/index.ts`,
  `${server}/demo/story.ts`,
  `${web}/lib/prices.test.ts`,
  `${web}/ui/pill.gallery.tsx`,
  'packages/simulator/src/main.ts',
  'packages/contract/src/index.ts',
  'e2e/journey.test.ts',
])('%s may name channels', (path) => {
  expect(findChannelNames({ path, text: 'const sms = 1' })).toEqual([])
})

test('every table has one owner, which is a module or a folder of the server', () => {
  const schema = readFileSync(new URL('../../packages/server/src/db/schema.sql', import.meta.url), 'utf8')
  const tables = [...schema.matchAll(/^table (\w+)/gm)].map(([, table]) => table)
  const owned = [...Object.values(tablesByOwner).flat(), ...sharedTables]
  expect(owned.toSorted()).toEqual(tables)
  expect(Object.keys(tablesByOwner).filter((owner) => !moduleLine.includes(owner))).toEqual([
    'db',
    'channels',
    'events',
    'http',
    'jobs',
  ])
})

test.each([
  "db.updateTable('campaigns').set({ status })",
  "db.insertInto(\n  'campaigns')",
  "db.deleteFrom('campaigns as gone')",
  "sql`update campaigns set status = 'paused'`",
  'sql`update only campaigns as campaign\n set status = next`',
  'insert into campaigns (id) values ($1)',
  'delete from campaigns using gone',
  'copy campaigns (id) from stdin',
  'db.updateTable(name).set({})',
])('messages may not: %s', (text) => {
  expect(findForeignWrites({ path: `${server}/modules/messages/engine/lane.ts`, text })).toHaveLength(1)
})

test('the calls of a channel write no tables', () => {
  const path = `${server}/channels/sms/calls/sms-accounts.ts`
  expect(findForeignWrites({ path, text: "db.updateTable('senders').set({ status })" })).toHaveLength(1)
})

test.each([
  [`${server}/modules/campaigns/campaigns.queries.ts`, "db.updateTable('campaigns').set({ status })"],
  [`${server}/modules/messages/engine/lane.ts`, 'select from campaigns for update'],
  [`${server}/modules/messages/engine/lane.ts`, 'insert into chunks (hi) values (1) on conflict do update set hi = 2'],
  [`${server}/modules/messages/engine/lane.test.ts`, "db.updateTable('campaigns').set({ status })"],
  [`${server}/demo/story.ts`, "db.insertInto('campaigns')"],
])('%s may: %s', (path, text) => {
  expect(findForeignWrites({ path, text })).toEqual([])
})

const askers = `
  import { openAccount } from '../senders/index.ts'
  export async function askTwice(manage) { await manage.lines.list(); await manage.access?.check() }
  export async function askThrough(deps) { return askTwice(openAccount(deps)) }
`

test.each([
  'async (db) => { await manage.templateReview.delete(name) }',
  'async ({ db, actor }) => asking(() => found.manage.templateReview.delete(name))',
  'async (call) => scoped(async (db) => { await askThrough(call) })',
  'async (call) => scoped((db) => provider.probe(call))',
  'async (call) => scoped(() => askThrough(call))',
  'async (call) => asSystem(database, async (tx) => askThrough(tx))',
  'async ({ db: tx }) => askThrough(tx)',
])('a provider may not be called in a transaction: %s', (handler) => {
  expect(findCallsInTransactions(planted(handler))).toEqual([
    expect.stringContaining(`${server}/modules/templates/handlers.ts:3 calls`),
  ])
})

test('the calls of a channel may not call a provider in a transaction either', () => {
  const path = `${server}/channels/sms/calls/handlers.ts`
  expect(findCallsInTransactions(planted('async ({ db }) => manage.lines.list(db)', path))).toEqual([
    expect.stringContaining(`${path}:3 calls`),
  ])
})

test.each([
  'async ({ scoped }) => { const row = await scoped((db) => read(db)); await askThrough(row) }',
  'async ({ db, afterCommit }) => { await read(db); afterCommit(() => askThrough(db)) }',
])('a provider may be called outside a transaction: %s', (handler) => {
  expect(findCallsInTransactions(planted(handler))).toEqual([])
})

const endpoint = "{ 'templates.sync': { withoutTransaction: async ({ deps }) => askThrough(deps) } }"

test('an endpoint that calls a provider has to be marked in the contract', () => {
  const sources = planted(endpoint)
  expect(findUnmarkedEndpoints(sources, () => false)).toEqual([
    expect.stringContaining('templates.sync calls askThrough'),
  ])
  expect(findUnmarkedEndpoints(sources, (name) => name === 'templates.sync')).toEqual([])
})

test.each([
  ['defineJob', 'handleJob(job, (key) => askThrough(key))', 1],
  ['defineJob', 'handleJob(job, async (key) => transport.sendMail(key))', 1],
  ['defineJob', 'handleJob(job, (key) => read(key))', 0],
  ['defineProviderJob', 'handleJob(job, (key) => askThrough(key))', 0],
  ['defineMailJob', 'handleJob(job, async (key) => transport.sendMail(key))', 0],
])('a job that calls a provider has places of its own: %s, %s', (define, handler, problems) => {
  const sources = planted(`${handler}\nconst job = ${define}('accounts.read', AccountKey)`)
  const expected = Array.from({ length: problems }, () => expect.stringContaining('the job job calls'))
  expect(findUnmarkedJobs(sources)).toEqual(expected)
})

/** The sources of a module or channel with this handler. */
function planted(handler: string, path = `${server}/modules/templates/handlers.ts`): Source[] {
  const directory = mkdtempSync(join(tmpdir(), 'check-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  try {
    write('tsconfig.json', '{ "include": ["packages"] }')
    write(`${server}/modules/senders/index.ts`, 'export function openAccount() {}')
    write(`${server}/modules/templates/askers.ts`, askers)
    write(path, `import { askThrough } from './askers.ts'\n\nexport const handler = ${handler}\n`)
    return readSources(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}
