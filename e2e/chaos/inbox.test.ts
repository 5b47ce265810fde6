import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Conversation } from '@carillon/contract/conversation-records'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newToken } from '../../packages/server/src/lib/ids.ts'
import { createSecretBox } from '../../packages/server/src/lib/secrets.ts'
import { buildSender, phoneOf } from '../../packages/server/src/modules/messages/test-lane.ts'
import { buildManager, buildUser, type Account } from '../../packages/server/src/testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../packages/server/src/testing/database.ts'
import { runProgram, type Program } from '../../packages/server/src/testing/program.ts'
import { until } from '../../packages/server/src/testing/until.ts'

const secretKey = 'ab'.repeat(32)
const signingKey = 'inbox-signing-key'
const people = 200
const messages = 4000
const perSecond = 400

let own: TestDatabase
let manager: Account
let member: Account
let directory: string
let callbackKey: string
const webs: { program: Program; url: string }[] = []
const viewers: Viewer[] = []

beforeAll(async () => {
  own = await testDatabase()
  manager = await buildManager(own.database)
  member = await buildUser(own.database, { parent: manager })
  callbackKey = await connectGateway(await buildSender(own.database, manager))
  directory = mkdtempSync(join(tmpdir(), 'carillon-inbox-'))
  webs.push(await startWeb(), await startWeb())
  // Reconnecting browsers find the process that replaces a killed one at the same address.
}, 120_000)
afterAll(async () => {
  for (const viewer of viewers) viewer.close()
  await Promise.all(webs.map(({ program }) => program.stop('SIGKILL')))
  await own.drop()
  rmSync(directory, { recursive: true, force: true })
})

async function connectGateway(senderId: string): Promise<string> {
  const { rows } = await own.database.ownerPool.query<{ id: string }>(
    'select provider_account_id as id from senders where id = $1',
    [senderId],
  )
  const id = rows[0]?.id ?? ''
  const { organizationId } = manager
  const place = { table: 'provider_accounts', organizationId, id }
  const secrets = createSecretBox(secretKey).seal({ signatureSecret: signingKey }, place)
  const key = newToken()
  await own.database.ownerPool.query(
    `update provider_accounts set provider = 'http-gateway', config = $2, secrets = $3, secret_names = '{signatureSecret}', callback_key = $4 where id = $1`,
    [id, JSON.stringify({ url: 'http://127.0.0.1:9/send', signature: 'hmac' }), secrets, key],
  )
  return key
}

async function startWeb(port = '0'): Promise<{ program: Program; url: string }> {
  const settings = { DATABASE_URL: own.url, DATA_DIR: directory, DEMO: 'off', SECRET_KEY: secretKey, PORT: port }
  const program = runProgram({ ...settings, REQUESTS_PER_SECOND: '10000' }, ['--run=web'])
  const find = () => /is at (http:\S+)/.exec(program.output())?.[1]
  await until(() => find() !== undefined, `an address in ${program.output()}`, 60_000)
  return { program, url: find() ?? '' }
}

/** Kills a web process and starts another at its address. */
async function killWeb(index: number): Promise<void> {
  const web = webs[index]
  if (!web) throw new Error('There is no such process')
  await web.program.stop('SIGKILL')
  webs[index] = await startWeb(new URL(web.url).port)
}

type Viewer = { known: Map<string, Conversation>; isCurrent(): boolean; catchUp(): Promise<void>; close(): void }

/** A browser: it reads the list, applies pushed conversations, and after each reconnect reads what it missed. */
async function openViewer(account: Account, url: string): Promise<Viewer> {
  const known = new Map<string, Conversation>()
  const apply = (conversation: Conversation) => {
    const before = known.get(conversation.chatId)
    if (!before || before.revision < conversation.revision) known.set(conversation.chatId, conversation)
  }
  const ask = async (path: string) => {
    const answer = await fetch(`${url}/api/v1/conversations${path}`, {
      headers: { authorization: `Bearer ${account.token}` },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    // The response has the shape of the contract.
    return ((await answer.json()) as { data: { conversations: Conversation[]; cursor: string; isStale?: boolean } })
      .data
  }
  let { cursor } = await ask('')
  let isBehind = false
  let wasStale = false
  const catchUp = async () => {
    isBehind = true
    const changes = await ask(`/changes?since=${encodeURIComponent(cursor)}`)
    wasStale ||= changes.isStale === true
    for (const conversation of changes.conversations) apply(conversation)
    ;({ cursor } = changes)
    isBehind = false
  }
  const socket: Socket = io(url, {
    transports: ['websocket'],
    query: { token: account.token },
    forceNew: true,
    reconnectionDelayMax: 500,
  })
  socket.on('conversation', ({ conversation }: { conversation: Conversation }) => apply(conversation))
  const keepTrying = () => void catchUp().catch(() => setTimeout(keepTrying, 500))
  socket.on('disconnect', () => (isBehind = true))
  socket.on('eventsMissed', keepTrying)
  socket.io.on('reconnect', keepTrying)
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)))
  return {
    known,
    isCurrent: () => socket.connected && !isBehind && !wasStale,
    catchUp,
    close: () => socket.disconnect(),
  }
}

/** As gateways do: the same callback again until it is acknowledged. */
async function deliver(sequence: number): Promise<void> {
  const body = JSON.stringify({
    from: String(phoneOf(sequence % people)),
    to: '56161',
    text: `Message ${sequence}`,
    at: new Date().toISOString(),
    id: `m${sequence}`,
  })
  const signature = createHmac('sha256', signingKey).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-signature': signature }
  for (let attempt = 0; ; attempt += 1) {
    const web = webs[(sequence + attempt) % webs.length]
    const answer = await fetch(`${web?.url}/hooks/${callbackKey}/inbound`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
}

test('web processes killed amid messages: each is stored once in one conversation, and every browser has the last state', async () => {
  for (const account of [manager, member]) for (const { url } of webs) viewers.push(await openViewer(account, url))
  const begin = performance.now()
  const delivered: Promise<void>[] = []
  const kills = (async () => {
    for (const index of [0, 1, 0]) {
      await new Promise((resume) => setTimeout(resume, 2000))
      await killWeb(index)
    }
  })()
  for (let sequence = 0; sequence < messages; sequence += 1) {
    const early = begin + (sequence * 1000) / perSecond - performance.now()
    if (early > 1) await new Promise((resume) => setTimeout(resume, early))
    delivered.push(deliver(sequence))
  }
  await Promise.all([...delivered, kills])

  const { rows } = await own.database.ownerPool.query<{ id: string; unread: number; stored: number; revision: number }>(
    `select conversation.id, conversation.unread, conversation.revision,
      (select count(*)::int from inbound_messages where conversation_id = conversation.id) as stored
    from conversations conversation`,
  )
  expect(rows).toHaveLength(people)
  expect(rows.filter(({ unread, stored }) => unread !== messages / people || stored !== messages / people)).toEqual([])

  const missing = () =>
    viewers.flatMap(({ known }) => rows.filter(({ id, revision }) => known.get(id)?.revision !== revision))
  await expect
    .poll(() => viewers.every(({ isCurrent }) => isCurrent()) && missing().length === 0, { timeout: 30_000 })
    .toBe(true)
}, 180_000)
