import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { newId } from './lib/ids.ts'
import { createSecretBox } from './lib/secrets.ts'
import { smsLeg } from './testing/draft-legs.ts'
import { fingerprint } from './testing/fingerprint.ts'
import { buildFixtures, type Fixtures } from './testing/fixtures.ts'
import { buildAdmin, buildManager, type Account } from './testing/builders.ts'
import { testServer, type Calls, type TestServer } from './testing/server.ts'

// Vulnerabilities found in similar products. Those with tests of their own under other names:
// blind-retry: modules/messages/{dispatch,fencing,sleeping-process}.test.ts, channels/sms/smpp/session.test.ts
// answer-before-commit: http/idempotency.test.ts
// recovery-overwrites-truth: modules/messages/fencing.test.ts
// guessing-without-limit: modules/auth/auth.test.ts
// wrong-signature: channels/sms/http-gateway/callbacks.test.ts
// read-then-write-money: modules/balance/balance.test.ts

const key = 'ab'.repeat(32)
const secret = 'a-provider-password-of-its-own'
let server: TestServer
let manager: Account
let mine: Fixtures
let foreign: Account
let theirs: Fixtures

beforeAll(async () => {
  // No process sends here: only the effect of the call itself is visible.
  server = await testServer({ environment: { SECRET_KEY: key }, flags: ['--run=web,worker'] })
  const admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  foreign = await buildManager(server.database, { parent: admin })
  mine = await buildFixtures(server.database, manager)
  theirs = await buildFixtures(server.database, foreign)
})
afterAll(() => server.close())

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows
const call: Calls['callUnchecked'] = (name, options) => server.as(manager).callUnchecked(name, options)

/** Whatever a test does, no row of the other organisation changes. */
async function assertForeignUnchanged(work: () => Promise<void>) {
  const before = await fingerprint(server.database, foreign.organizationId)
  await work()
  expect(await fingerprint(server.database, foreign.organizationId)).toBe(before)
}

async function connect(provider: string, config: object): Promise<SmsAccount> {
  const answer = await call('smsAccounts.create', { body: { name: 'Main', provider, headers: ['CARLLN'], config } })
  expect(answer).toMatchObject({ status: 200 })
  return answer.data()
}

const smppConfig = { host: 'smsc.example', systemId: 'acme', password: secret }
const gatewayConfig = { url: 'https://gateway.example/send', bodyTemplate: '{"to":"{{to}}","text":"{{text}}"}' }

describe('peer-hole/secondary-id', () => {
  test.each([
    ['sender', () => theirs.smsAccount, (senderId: string) => ({ legs: [smsLeg({ senderId })] })],
    ['template', () => theirs.template, (templateId: string) => ({ legs: [smsLeg({ templateId })] })],
    ['audience', () => theirs.audience, (audienceId: string) => ({ audienceId, legs: [smsLeg()] })],
  ])("a draft cannot reference another organisation's %s", async (_, id, naming) => {
    await assertForeignUnchanged(async () => {
      const [foreignAnswer, absentAnswer] = [
        await call('drafts.create', { body: { campaignName: 'Mine', ...naming(id()) } }),
        await call('drafts.create', { body: { campaignName: 'Mine', ...naming(newId()) } }),
      ]
      expect(foreignAnswer.status).toBe(404)
      expect(foreignAnswer.body).toEqual(absentAnswer.body)
    })
  })

  test('the database rejects it as well', async () => {
    const point = (id: string) => query('update campaigns set audience_id = $1 where id = $2', [id, mine.campaign])
    await expect(point(theirs.audience)).rejects.toThrow('foreign key')
  })
})

describe('peer-hole/filter-injection', () => {
  const words = [
    `' or '1'='1`,
    `"; drop table campaigns; --`,
    `%' or true --`,
    `name; select pg_sleep(5)`,
    String.raw`\' or 1=1`,
  ]
  test.each(words)('%s is searched for like any other text', async (word) => {
    for (const filter of [{ sort: word }, { direction: word }, { status: word }, { from: word }, { createdBy: word }])
      expect((await call('smsCampaigns.list', { query: filter })).status).toBe(400)
    for (const name of ['smsCampaigns.list', 'smsCampaigns.search', 'smsTemplates.list'] as const) {
      const found = await call(name, { query: { search: word, query: word } })
      expect(found).toMatchObject({ status: 200 })
      expect(found.text).not.toMatch(/Diwali|Greeting/)
    }
    const numbers = { as: manager, path: { id: mine.campaign }, query: { number: word } }
    expect((await call('smsCampaigns.searchNumber', numbers)).text).not.toContain('919876543210')
  })
})

test('peer-hole/svg-upload: a picture that contains a script is rejected, whatever its name', async () => {
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const [name, type] of [
    ['a.svg', 'image/svg+xml'],
    ['a.png', 'image/png'],
    ['a.gif', 'image/gif'],
  ] as const) {
    const files = { fileContent: { name, content: svg, type } }
    expect(await call('uploads.create', { body: { channel: 'sms' }, files })).toMatchObject({ status: 400 })
  }
})

test('peer-hole/status-before-effect: a start returns queued, and the sent count is zero until messages were sent', async () => {
  await query(`update campaigns set status = 'ready', total = 1 where id = $1`, [mine.campaign])
  await query('update senders set is_active = true where id = $1', [mine.smsAccount])
  await query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price)
     select $1, $2, 0, 'sms', $3, '{"header":"CARLLN","body":"Hello","variables":[]}', 0
     where not exists (select from campaign_legs where campaign_id = $2)`,
    [manager.organizationId, mine.campaign, mine.smsAccount],
  )
  const queued = { status: 'queued', stats: { queued: 1, submitted: 0, sent: 0, delivered: 0 } }
  for (const name of ['smsCampaigns.start', 'smsCampaigns.start', 'campaigns.resume'] as const)
    expect(await call(name, { path: { id: mine.campaign } })).toMatchObject({ status: 200, body: { data: queued } })
  await query(`update campaigns set status = 'cancelled' where id = $1`, [mine.campaign])
})

test('peer-hole/webhook-without-secret: a required signature that cannot be verified rejects the call', async () => {
  const { callbackUrl = '', _id } = await connect('http-gateway', { ...gatewayConfig, signature: 'hmac' })
  const address = `${server.url}${new URL(callbackUrl).pathname}/inbound`
  const body = JSON.stringify({ id: 'in-1', from: '919812340005', to: 'CARLLN', text: 'STOP' })
  for (const signature of [undefined, '', 'undefined', '0'.repeat(64)]) {
    const headers = {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'x-signature': signature }),
    }
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(503)
  }
  expect(await query('select from inbound_messages where sender_id = $1', [_id])).toEqual([])
  expect(await query('select from opt_outs where organization_id = $1', [manager.organizationId])).toEqual([])
})

test('peer-hole/egress-bypass: only the egress module opens outgoing connections', () => {
  const root = import.meta.dirname
  const clients = /from '(?:undici|node:(?:http|https|http2|net|tls|dgram))'|\bfetch\(|new WebSocket\(/
  // Types, and parts of node:net that parse and compare addresses and open nothing.
  const harmless = /import (?:type [^\n]*|\{ (?:BlockList, )?isIP \} from 'node:net')\n/g
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing/'),
  )
  const found = sources.filter((path) => clients.test(readFileSync(join(root, path), 'utf8').replaceAll(harmless, '')))
  // Exceptions: the demo calls its own server, the embedded database looks for a free port, customers connect to the SMPP server, and a
  // process checks whether the simulator of this machine runs.
  expect(found.toSorted()).toEqual([
    'db/embedded.ts',
    'demo/client.ts',
    'egress/egress.ts',
    'modules/smpp-server/smpp-server.ts',
    'simulator.ts',
  ])
})

test("peer-hole/moved-ciphertext: secrets copied into another account's row cannot be decrypted", async () => {
  const [one, other] = [await connect('smpp', smppConfig), await connect('smpp', { ...smppConfig, password: 'x' })]
  const [account] = await query<{ id: string; secrets: Buffer }>(
    'select account.id, secrets from provider_accounts account join senders on provider_account_id = account.id where senders.id = $1',
    [one._id],
  )
  await query(
    'update provider_accounts set secrets = $1 where id = (select provider_account_id from senders where id = $2)',
    [account?.secrets, other._id],
  )
  const { password: _, ...config } = smppConfig
  const body = { name: 'Main', provider: 'smpp', headers: ['CARLLN'], config }
  expect(await call('smsAccounts.update', { path: { id: other._id }, body })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'config.password' }] },
  })
  expect(await call('smsAccounts.update', { path: { id: one._id }, body })).toMatchObject({ status: 200 })
  const place = { table: 'provider_accounts', organizationId: foreign.organizationId, id: account?.id ?? '' }
  expect(() => createSecretBox(key).open(account?.secrets ?? Buffer.alloc(0), place)).toThrow()
})

test("peer-hole/secrets-in-clear: no table contains a session token, a ticket or a provider's password in plain text", async () => {
  await connect('smpp', smppConfig)
  const ticket = await call('realtime.ticket')
  const data = ticket.data()
  expect(data.ticket).toMatch(/\S{20}/)
  const tables = await query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  for (const { name } of tables) {
    const [row] = await query<{ text: string | null }>(`select string_agg(t::text, ' ') as text from ${name} t`)
    const text = row?.text ?? ''
    for (const clear of [manager.token, data.ticket, secret]) {
      expect([name, text.includes(clear)]).toEqual([name, false])
      expect([name, text.includes(Buffer.from(clear).toString('hex'))]).toEqual([name, false])
    }
  }
})

test('peer-hole/path-control: a file’s name never becomes a path', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)])
  for (const name of [
    '../../../secret.key',
    '/etc/cron.d/evil',
    String.raw`..\..\evil.png`,
    'a/../../b.png',
    'x'.repeat(400),
  ]) {
    const files = { fileContent: { name, content: png, type: 'image/png' } }
    const answer = await call('uploads.create', { body: { channel: 'sms' }, files })
    expect(answer.status).toBeLessThan(500)
    if (answer.status !== 200) continue
    const { _id, name: kept } = answer.data()
    expect(kept).not.toContain('/')
    const [file] = await query<{ storage_key: string }>('select storage_key from files where id = $1', [_id])
    expect(file?.storage_key).toMatch(/^[0-9a-f/-]+$/)
    expect(existsSync(join(server.dataDirectory, 'files', file?.storage_key ?? ''))).toBe(true)
  }
  expect(existsSync(join(server.dataDirectory, 'secret.key'))).toBe(false)
})

test('peer-hole/csv-injection: a formula in a file is downloaded as text', async () => {
  const formulas = ['=HYPERLINK("http://evil.example")', '+1+1', '-2+3', '@SUM(A1)', '\t=1+1', '\r=1+1']
  await query(`update audiences set columns = '{Mobile,=Name}', phone_column = 0 where id = $1`, [mine.audience])
  await query('delete from recipients where audience_id = $1', [mine.audience])
  for (const [seq, formula] of formulas.entries())
    await query(
      'insert into recipients (organization_id, audience_id, seq, phone, variables) values ($1, $2, $3, $4, $5)',
      [manager.organizationId, mine.audience, seq, 919_876_500_000 + seq, ['', formula]],
    )
  const { text } = await call('reports.campaignNumbers', { path: { id: mine.campaign } })
  const cells = text.split(/[,\n]/).map((cell) => cell.replace(/^"/, ''))
  expect(cells.filter((cell) => cell.startsWith("'"))).toHaveLength(formulas.length + 1)
  expect(cells.filter((cell) => /^[=+@\t-]/.test(cell))).toEqual([])
})

describe('peer-hole/mass-assignment', () => {
  const owned = () => ({
    _id: theirs.campaign,
    id: theirs.campaign,
    organization_id: foreign.organizationId,
    organizationId: foreign.organizationId,
    path: foreign.path,
    created_by: foreign.id,
    createdBy: foreign.id,
    status: 'completed',
    total: 1_000_000,
    is_test: true,
    hold_id: newId(),
  })

  test('a body cannot set the owner or the results of a campaign', async () => {
    await assertForeignUnchanged(async () => {
      const created = await call('drafts.create', { body: { campaignName: 'Mine', legs: [smsLeg()], ...owned() } })
      expect(created.status).toBeLessThan(500)
      if (created.status !== 200) return
      const { _id } = created.data()
      expect(_id).not.toBe(theirs.campaign)
      await call('drafts.save', {
        path: { id: _id },
        body: { campaignName: 'Mine still', legs: [smsLeg()], ...owned() },
      })
      const rows = await query(
        'select organization_id, path, created_by, status, total, is_test, hold_id from campaigns where id = $1',
        [_id],
      )
      expect(rows).toEqual([
        {
          organization_id: manager.organizationId,
          path: manager.path,
          created_by: manager.id,
          status: 'draft',
          total: 0,
          is_test: false,
          hold_id: null,
        },
      ])
    })
  })

  test('nor the owner of an account, nor its callback address', async () => {
    await assertForeignUnchanged(async () => {
      const body = {
        name: 'Main',
        provider: 'smpp',
        headers: ['CARLLN'],
        config: smppConfig,
        ...owned(),
        callback_key: 'a'.repeat(64),
      }
      const created = await call('smsAccounts.create', { body })
      if (created.status !== 200) return expect(created.status).toBe(400)
      const rows = await query(
        `select senders.organization_id, senders.is_active, callback_key = repeat('a', 64) as chosen
         from senders join provider_accounts account on account.id = provider_account_id where senders.id = $1`,
        [created.data()._id],
      )
      expect(rows).toEqual([{ organization_id: manager.organizationId, is_active: false, chosen: false }])
    })
  })
})

test('peer-hole/two-sources-of-truth: a deletion applies to the authorised row, whatever other ids the request contains', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)])
  const files = { fileContent: { name: 'a.png', content: png, type: 'image/png' } }
  const created = await call('uploads.create', { body: { channel: 'sms' }, files })
  const { _id } = created.data()
  await assertForeignUnchanged(async () => {
    const named = { id: theirs.file, _id: theirs.file, channel: 'sms' }
    // Authorised by the id in the body, applied to the id in the path, and vice versa.
    expect(
      await call('uploads.delete', {
        path: { id: theirs.file },
        body: { channel: 'sms', id: _id },
        query: { id: _id },
      }),
    ).toMatchObject({ status: 404 })
    await call('uploads.delete', { path: { id: _id }, body: named, query: { id: theirs.file } })
  })
  expect(await query('select id from files where id = $1', [theirs.file])).toHaveLength(1)
  expect(await query('select id from files where id = $1', [_id])).toEqual([])
})

describe('peer-hole/content-confusion', () => {
  test.each(['audience.create', 'uploads.create', 'smsCampaigns.create'] as const)(
    '%s accepts no file as text in a body',
    async (name) => {
      const path = join(server.dataDirectory, '..')
      const file = {
        path: '/etc/passwd',
        filepath: '/etc/passwd',
        fileName: 'people.csv',
        mimeType: 'text/csv',
        sizeBytes: 9,
      }
      const body = {
        channel: 'sms',
        campaignName: 'Mine',
        smsAccountId: mine.smsAccount,
        templateId: mine.template,
        file,
        fileContent: file,
        files: { file, fileContent: file },
      }
      const answer = await call(name, { body })
      expect(answer.status).toBe(400)
      expect(answer.text).not.toContain('root:')
      expect(answer.text).not.toContain(path)
    },
  )
})
