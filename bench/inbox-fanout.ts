/**
 * 200 organizations with ten open sockets each. Signed callbacks of a gateway bring 500 messages a second, and each is pushed to
 * three members who see its conversation, while other browsers join. Then all sockets are closed, messages go on, and after
 * reconnecting each browser reads what it missed. The limit is Socket.IO alone, which stores nothing, with the same sockets, rooms
 * and sizes, in a process of its own.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { io, type Socket } from 'socket.io-client'
import { Pool } from 'undici'
import { httpGateway } from '../packages/server/src/channels/sms/http-gateway/http-gateway.ts'
import type { Database } from '../packages/server/src/db/pool.ts'
import { newToken } from '../packages/server/src/lib/ids.ts'
import { createSecretBox } from '../packages/server/src/lib/secrets.ts'
import { buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { buildManager, buildUser, type Account } from '../packages/server/src/testing/builders.ts'
import { startServer } from './api.ts'
import { benchDatabase, machine } from './harness.ts'
import { percentile } from './open-loop.ts'

const organizations = 200
/** Besides the manager and one member without a busy line. */
const lines = 4
const membersOfLine = 2
const viewersEach = membersOfLine + 1
const pace = { perSecond: 500, seconds: 10 }
const closedLoop = { atOnce: 64, seconds: 5 }
const wanted = { p99Ms: 200, joinedMs: 500, ratio: 0.5 }
const signingKey = 'bench-signing-key'
const secretBox = createSecretBox('ab'.repeat(32))

type Line = { callbackKey: string; rooms: string[] }
type Viewer = { account: Account; rooms: string[] }
type World = { lines: Line[]; viewers: Viewer[] }

export async function benchInboxFanout(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  try {
    if (process.env['PRINT_URL']) console.log(bench.url)
    const world = await seed(bench.database)
    const server = await startServer(bench.url, dataDirectory)
    const bare = await startBare()
    try {
      console.log(
        `inbox-fanout: ${world.viewers.length} sockets, ${organizations} organizations, ${viewersEach} viewers of each message; ${machine()}`,
      )
      const ours = await runSide('ours', openOurs(server.url, world))
      const limit = await runSide('limit', openBare(bare.url, world))
      console.log(
        `wanted: p99 at most ${wanted.p99Ms} ms; up to date after joining at most ${wanted.joinedMs} ms, none missing`,
      )
      console.log(`peak memory of the product ${server.peakMemory()}`)
      console.log(`ratio ${(ours / limit).toFixed(2)} of the frames a second; wanted at least ${wanted.ratio}`)
    } finally {
      for (const child of [server.process, bare.process]) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
    }
  } finally {
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function seed(database: Database): Promise<World> {
  const world: World = { lines: [], viewers: [] }
  const config = { url: 'http://127.0.0.1:9/send', signature: 'hmac' }
  httpGateway.config.parse({ ...config, signatureSecret: signingKey })
  for (let index = 0; index < organizations; index += 1) {
    const manager = await buildManager(database)
    const { organizationId } = manager
    const room = `organization-${index}`
    world.viewers.push({ account: manager, rooms: [room] })
    for (let line = 0; line <= lines; line += 1) {
      const senderId = await buildSender(database, manager)
      const { rows } = await database.ownerPool.query<{ id: string }>(
        'select provider_account_id as id from senders where id = $1',
        [senderId],
      )
      const id = rows[0]?.id ?? ''
      const callbackKey = newToken()
      const sealed = secretBox.seal({ signatureSecret: signingKey }, { table: 'provider_accounts', organizationId, id })
      await database.ownerPool.query(
        `update provider_accounts set provider = 'http-gateway', config = $2, secrets = $3, secret_names = '{signatureSecret}', callback_key = $4 where id = $1`,
        [id, JSON.stringify(config), sealed, callbackKey],
      )
      const lineRoom = `line-${index}-${line}`
      if (line < lines) world.lines.push({ callbackKey, rooms: [room, lineRoom] })
      for (let member = 0; member < (line < lines ? membersOfLine : 1); member += 1) {
        const account = await buildUser(database, { parent: manager })
        await database.ownerPool.query('insert into live_agents (organization_id, account_id) values ($1, $2)', [
          organizationId,
          account.id,
        ])
        await database.ownerPool.query(
          'insert into live_agent_lines (organization_id, account_id, sender_id) values ($1, $2, $3)',
          [organizationId, account.id, senderId],
        )
        world.viewers.push({ account, rooms: [lineRoom] })
      }
    }
  }
  await database.ownerPool.query('analyze')
  return world
}

/** One of the two sides: how messages are brought in and how browsers connect. */
type Side = {
  connect(viewer: Viewer): Socket
  post(line: Line, sequence: number): Promise<void>
  /** What a browser that reconnected missed since it was connected; undefined for the bare side. */
  startMissing?(viewer: Viewer): Promise<string>
  readMissing?(viewer: Viewer, cursor: string): Promise<{ ids: number; cursor: string }>
  viewers: readonly Viewer[]
  lines: readonly Line[]
  close(): Promise<void>
}

/** Returns the frames a second that arrived at the given pace. */
async function runSide(name: string, side: Side): Promise<number> {
  const begun = new Map<number, number>()
  const left = new Map<number, number>()
  const latencies: number[] = []
  const hear = (frame: { text: string }) => {
    const sequence = Number(/#(\d+)/.exec(frame.text)?.[1])
    const start = begun.get(sequence)
    if (start === undefined) return
    latencies.push(performance.now() - start)
    const missing = (left.get(sequence) ?? viewersEach) - 1
    if (missing === 0) left.delete(sequence)
    else left.set(sequence, missing)
  }
  const sockets = await connectAll(side, hear)
  let sequence = 0
  const post = async () => {
    const own = sequence
    sequence += 1
    const line = side.lines[(own * 7919) % side.lines.length]
    if (!line) return
    begun.set(own, performance.now())
    left.set(own, viewersEach)
    await side.post(line, own)
  }
  await openLoopOf(post, { perSecond: pace.perSecond, seconds: 3 })
  await settle(left)
  latencies.length = 0
  const joining = joinOneByOne(side)
  const opened = performance.now()
  await openLoopOf(post, pace)
  const missing = await settle(left)
  const frames = (latencies.length * 1000) / (performance.now() - opened)
  const joins = await joining
  console.log(
    `${name.padEnd(6)} at ${pace.perSecond}/s: ${frames.toFixed(0)} frames/s, post to frame p50 ${ms(latencies, 0.5)}  p99 ${ms(latencies, 0.99)}  worst ${ms(latencies, 1)}; frames missing ${missing}`,
  )
  console.log(`${name.padEnd(6)} a browser joins meanwhile: up to date p50 ${ms(joins, 0.5)}  p99 ${ms(joins, 0.99)}`)
  const before = sequence
  const start = performance.now()
  await Promise.all(
    Array.from({ length: closedLoop.atOnce }, async () => {
      while (performance.now() - start < closedLoop.seconds * 1000) await post()
    }),
  )
  const lost = await settle(left)
  const rate = ((sequence - before) * 1000) / (performance.now() - start)
  console.log(
    `${name.padEnd(6)} closed loop of ${closedLoop.atOnce}: ${rate.toFixed(0)} messages/s; frames missing ${lost}`,
  )
  await reconnectAll(name, { side, sockets, post })
  for (const socket of sockets) socket.disconnect()
  await side.close()
  return frames
}

async function connectAll({ connect, viewers }: Side, hear: (frame: { text: string }) => void): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let next = 0; next < viewers.length; next += 100) {
    const batch = viewers.slice(next, next + 100).map((viewer) => connect(viewer))
    await Promise.all(
      batch.map(
        (socket) =>
          new Promise<void>((resolve, reject) => {
            socket.once('connect', () => resolve())
            socket.once('connect_error', reject)
          }),
      ),
    )
    for (const socket of batch) socket.on('message', hear)
    sockets.push(...batch)
  }
  return sockets
}

/** Browsers connect one after the other, read what they show, and leave. */
async function joinOneByOne({ connect, viewers, readMissing, startMissing }: Side): Promise<number[]> {
  const latencies: number[] = []
  for (let turn = 0; turn < pace.seconds * 5; turn += 1) {
    const viewer = viewers[(turn * 7919) % viewers.length]
    if (!viewer) continue
    const cursor = await startMissing?.(viewer)
    const start = performance.now()
    const socket = connect(viewer)
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    if (cursor !== undefined) await readMissing?.(viewer, cursor)
    latencies.push(performance.now() - start)
    socket.disconnect()
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  return latencies
}

/** All browsers lose their connection, messages go on, and each browser then reads what changed meanwhile. */
async function reconnectAll(
  name: string,
  { side, sockets, post }: { side: Side; sockets: readonly Socket[]; post: () => Promise<void> },
): Promise<void> {
  const cursors = await Promise.all(side.viewers.map(async (viewer) => side.startMissing?.(viewer)))
  for (const socket of sockets) socket.disconnect()
  const posted = pace.perSecond * 2
  await openLoopOf(post, { perSecond: pace.perSecond, seconds: 2 })
  const latencies: number[] = []
  let found = 0
  await Promise.all(
    sockets.map(async (socket, index) => {
      const start = performance.now()
      const connected = new Promise<void>((resolve) => socket.once('connect', () => resolve()))
      socket.connect()
      await connected
      const viewer = side.viewers[index]
      const cursor = cursors[index]
      const read = viewer && cursor !== undefined ? await side.readMissing?.(viewer, cursor) : undefined
      found += read?.ids ?? 0
      latencies.push(performance.now() - start)
    }),
  )
  const read = side.readMissing ? `; ${found} of ${posted * viewersEach} messages read afterwards` : ''
  console.log(
    `${name.padEnd(6)} all ${sockets.length} reconnect at once: p50 ${ms(latencies, 0.5)}  p99 ${ms(latencies, 0.99)}${read}`,
  )
}

/** Waits until all frames arrived, at most ten seconds; returns how many are missing. */
async function settle(left: ReadonlyMap<number, number>): Promise<number> {
  const start = performance.now()
  while (left.size > 0 && performance.now() - start < 10_000) await new Promise((resume) => setTimeout(resume, 20))
  return [...left.values()].reduce((sum, frames) => sum + frames, 0)
}

async function openLoopOf(
  call: () => Promise<void>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<void> {
  const begin = performance.now()
  const pending: Promise<void>[] = []
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const early = begin + (turn * 1000) / perSecond - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    pending.push(call())
  }
  await Promise.all(pending)
}

const ms = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(1)} ms`

const textOf = (sequence: number) => `Is order #${sequence} on its way? It should have been here yesterday.`
const numberOf = (sequence: number) => String(phoneOf(sequence % 5000))

function openOurs(url: string, { viewers, lines: all }: World): Side {
  const pool = new Pool(url, { connections: 64 })
  const get = async (path: string, { account }: Viewer) => {
    const { statusCode, body } = await pool.request({
      path,
      method: 'GET',
      headers: { authorization: `Bearer ${account.token}` },
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    // The response has the shape of the contract.
    return (JSON.parse(text) as { data: { cursor: string; conversations: object[]; isStale: boolean } }).data
  }
  return {
    viewers,
    lines: all,
    connect: ({ account }) =>
      io(url, { transports: ['websocket'], query: { token: account.token }, forceNew: true, reconnection: false }),
    async post({ callbackKey }, sequence) {
      const body = JSON.stringify({
        from: numberOf(sequence),
        to: '56161',
        text: textOf(sequence),
        at: new Date().toISOString(),
        id: String(sequence),
      })
      const signature = createHmac('sha256', signingKey).update(body).digest('hex')
      const answer = await pool.request({
        path: `/hooks/${callbackKey}/inbound`,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-signature': signature },
        body,
      })
      await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`callback: ${answer.statusCode}`)
    },
    async startMissing(viewer) {
      return (await get('/api/v1/conversations?limit=1', viewer)).cursor
    },
    async readMissing(viewer, cursor) {
      const changes = await get(`/api/v1/conversations/changes?since=${encodeURIComponent(cursor)}`, viewer)
      // No person writes twice meanwhile, so each message that was missed changed a conversation of its own.
      return { ids: changes.isStale ? 0 : changes.conversations.length, cursor: changes.cursor }
    },
    close: () => pool.close(),
  }
}

function openBare(url: string, { viewers, lines: all }: World): Side {
  const pool = new Pool(url, { connections: 64 })
  return {
    viewers,
    lines: all,
    connect: ({ rooms }) =>
      io(url, { transports: ['websocket'], query: { rooms: rooms.join(',') }, forceNew: true, reconnection: false }),
    async post({ rooms }, sequence) {
      const payload = {
        channel: 'sms',
        chatId: newToken().slice(0, 36),
        messageId: newToken().slice(0, 36),
        senderPhoneNumber: `+${numberOf(sequence)}`,
        text: textOf(sequence),
        sendTime: new Date().toISOString(),
      }
      const answer = await pool.request({ path: '/', method: 'POST', body: JSON.stringify({ rooms, payload }) })
      await answer.body.text()
    },
    close: () => pool.close(),
  }
}

async function startBare(): Promise<{ process: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('bare-sockets.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Bare sockets are at (\S+)$/.exec(line)?.[1]
    if (url) return { process: child, url }
  }
  throw new Error('The bare sockets did not start')
}
