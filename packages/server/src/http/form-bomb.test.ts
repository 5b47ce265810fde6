import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem } from '../db/pool.ts'
import { sweepTemporary } from '../modules/files/index.ts'
import { buildManager, signIn, type Account } from '../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const megabyte = 1024 * 1024
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])

function temporaryFiles(dataDirectory: string): string[] {
  return readdirSync(join(dataDirectory, 'tmp'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

describe('form-bomb: a form is limited to what its call accepts', () => {
  let server: TestServer
  let manager: Account
  beforeAll(async () => {
    server = await testServer({ flags: ['--run=web'] })
    manager = await buildManager(server.database)
  })
  afterAll(() => server.close())
  beforeEach(() => mkdirSync(join(server.dataDirectory, 'tmp'), { recursive: true }))

  const send = async (path: string, form: FormData) => {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${manager.token}` },
      body: form,
    })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  const formOf = (...fields: [string, string | File][]) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    return form
  }
  const file = (content: Uint8Array<ArrayBuffer> | string = png) => new File([content], 'picture.png')

  test.each<[string, FormData, object]>([
    ['an unknown field', formOf(['channel', 'sms'], ['extra', 'x']), { details: [{ field: 'extra' }] }],
    ['a field twice', formOf(['channel', 'sms'], ['channel', 'sms']), { details: [{ field: 'channel' }] }],
    ['an unknown file', formOf(['channel', 'sms'], ['other', file()]), { details: [{ field: 'other' }] }],
    [
      'a file twice',
      formOf(['channel', 'sms'], ['fileContent', file()], ['fileContent', file()]),
      { details: [{ field: 'fileContent' }] },
    ],
    [
      'a hundred fields',
      formOf(...Array.from({ length: 100 }, (_, index): [string, string] => [`field${index}`, 'x'])),
      { details: [{ field: 'field0' }] },
    ],
  ])('rejects %s by its name and stores nothing', async (_, form, refusal) => {
    expect(await send('/api/upload/aws-upload', form)).toMatchObject({
      status: 400,
      body: { success: false, code: 'bad_request', ...refusal },
    })
    expect(temporaryFiles(server.dataDirectory)).toEqual([])
  })

  test('rejects text fields that are too large in total', async () => {
    const form = formOf(['channel', 'x'.repeat(300 * 1024)], ['fileContent', file()])
    expect(await send('/api/upload/aws-upload', form)).toMatchObject({ status: 413, body: { code: 'too_large' } })
    expect(temporaryFiles(server.dataDirectory)).toEqual([])
  })

  test('accepts as many pasted numbers as the contract allows', async () => {
    const numbers = '9876543210 '.repeat(180_000)
    const form = formOf(['numbers', numbers], ['defaultCountry', 'IN'])
    expect(await send('/api/audiences', form)).toMatchObject({ status: 200 })
  })

  test("rejects a JSON body above the call's limit", async () => {
    const answer = await server.call('support.open', {
      as: manager,
      body: { subject: 'A question', body: 'x'.repeat(300 * 1024) },
    })
    expect(answer).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })

  test('does not read the body of a caller without a session', async () => {
    const body = JSON.stringify({ numbers: 'x'.repeat(3 * megabyte) })
    const answer = await fetch(`${server.url}/api/audiences`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(401)
  })

  test('rejects a fifth parallel upload of an account, and accepts others once the four have ended', async () => {
    const session = await signIn(server.database, manager)
    const waiting = await Promise.all([1, 2, 3, 4].map(() => beginUpload(server.url, session.token)))
    const upload = () =>
      server.call('uploads.create', {
        as: session,
        body: { channel: 'sms' },
        files: { fileContent: { name: 'picture.png', content: png } },
      })
    await until(() => temporaryFiles(server.dataDirectory).length === 4)
    const refused = await upload()
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Aborted uploads leave no files.
    for (const socket of waiting) socket.destroy()
    await until(() => temporaryFiles(server.dataDirectory).length === 0)
    await until(async () => (await upload()).status === 200)
  })

  test('counts uploads in progress against the storage limit', async () => {
    const small = await buildManager(server.database)
    await asSystem(server.database, (db) =>
      db
        .insertInto('account_limits')
        .values({
          organization_id: small.organizationId,
          account_id: small.id,
          key: 'storage_mb',
          value: 10,
          set_by: small.id,
        })
        .execute(),
    )
    const upload = () =>
      server.call('uploads.create', {
        as: small,
        body: { channel: 'sms' },
        files: { fileContent: { name: 'picture.png', content: png } },
      })
    const first = await beginUpload(server.url, small.token, 9.9 * megabyte)
    await until(() => temporaryFiles(server.dataDirectory).length === 1)
    const second = await beginUpload(server.url, small.token, megabyte)
    expect(String(await answerOn(second))).toMatch(/^HTTP\/1.1 409 [\s\S]*"limit_exceeded"/)
    first.destroy()
    await until(async () => (await upload()).status === 200)
  })

  test('removes a stored file when its call fails afterwards', async () => {
    const stored = () =>
      readdirSync(join(server.dataDirectory, 'files'), { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.includes('-'),
      )
    const before = stored()
    const answer = await server.call('smsCampaigns.create', {
      as: manager,
      body: {
        campaignName: 'Diwali',
        smsAccountId: '01890000-0000-7000-8000-000000000000',
        templateId: '01890000-0000-7000-8000-000000000000',
      },
      files: { file: { name: 'people.csv', content: 'Name,Mobile\nAsha,9876543210\n' } },
    })
    expect(answer.status).toBe(404)
    expect(stored()).toEqual(before)
    expect(temporaryFiles(server.dataDirectory)).toEqual([])
  })

  test('the sweep removes temporary files of a crash and keeps those in use', async () => {
    const directory = join(server.dataDirectory, 'tmp')
    mkdirSync(join(directory, 'uploads'), { recursive: true })
    const old = new Date(Date.now() - 2 * 3_600_000)
    for (const name of ['old', 'uploads/old', 'new', 'uploads/new']) writeFileSync(join(directory, name), 'x')
    for (const name of ['old', 'uploads/old']) utimesSync(join(directory, name), old, old)
    await sweepTemporary(directory, new Date(Date.now() - 3_600_000))
    expect(temporaryFiles(server.dataDirectory)).toEqual(['new', 'new'])
    await sweepTemporary(directory, new Date(Date.now() + 1000))
    expect(temporaryFiles(server.dataDirectory)).toEqual([])
  })
})

describe('form-bomb: a rejected upload is answered at once', () => {
  let server: TestServer
  let manager: Account
  beforeAll(async () => {
    server = await testServer({ flags: ['--run=web'] })
    manager = await buildManager(server.database)
  })
  afterAll(() => server.close())

  test.each([
    ['announced as too large', 50 * megabyte, '', 413],
    ['of an unknown field', 10 * megabyte, `${partOf('extra', 'x')}--edge\r\n`, 400],
  ])('an upload %s, whose sender is slow', async (_, length, sent, status) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(headOf(manager.token, length) + sent)
    const answer = String(await answerOn(socket))
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.toLowerCase()).toContain('connection: close')
    // The sender continues for a while without a reset, and the connection is closed in order.
    for (let piece = 0; piece < 5; piece += 1) expect(socket.write('x'.repeat(64 * 1024))).toBeDefined()
    const closed = once(socket, 'close')
    socket.resume()
    expect(await closed).toEqual([false])
  })

  test('a small rejected form keeps the connection open for the next request', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const form = `${partOf('extra', 'x')}--edge--\r\n`
    socket.write(headOf(manager.token, form.length) + form)
    expect(String(await answerOn(socket))).toMatch(/^HTTP\/1.1 400 /)
    socket.write('GET /health/live HTTP/1.1\r\nhost: test\r\n\r\n')
    expect(String(await answerOn(socket))).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
  })
})

describe('form-bomb: forty at once on a small heap', () => {
  let elsewhere: TestDatabase
  let child: ChildProcess
  let url = ''
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bomb-'))
  beforeAll(async () => {
    elsewhere = await testDatabase()
    child = spawn(process.execPath, ['--max-old-space-size=160', program, '--run=web'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: '0',
        DEMO: 'off',
        LOG_LEVEL: 'silent',
        DATABASE_URL: elsewhere.url,
        DATA_DIR: dataDirectory,
        DATABASE_POOL: '20',
        REQUESTS_PER_SECOND: '10000',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    url = await addressOf(child)
  })
  afterAll(async () => {
    child.kill('SIGKILL')
    await elsewhere.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  test('the process survives, serves others, and leaves no file', async () => {
    const attackers = await Promise.all(Array.from({ length: 10 }, () => buildManager(elsewhere.database)))
    const bystander = await buildManager(elsewhere.database)
    const bombs = attackers.flatMap(({ token }) => [
      bomb(url, { token, path: '/api/upload/aws-upload', fields: ['channel'] }),
      bomb(url, { token, path: '/api/audiences', fields: ['numbers', 'defaultCountry'] }),
      bomb(url, { token, path: '/api/audiences', fields: ['numbers', 'numbers'] }),
      bomb(url, { token, path: '/api/sms/campaigns/create', fields: ['campaignName', 'numbers', 'variables'] }),
    ])
    // On a slow machine connecting to the database may time out: retry on 503.
    const callAgain = async () => {
      const headers = { authorization: `Bearer ${bystander.token}` }
      return (await fetch(`${url}/api/v1/profile/details`, { headers })).status === 200
    }
    await until(async () => (await fetch(`${url}/health/live`)).ok && (await callAgain()))
    for (const status of await Promise.all(bombs)) expect(['400', '413', '429', '503']).toContain(status)
    expect(child.exitCode).toBeNull()
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    await until(() => temporaryFiles(dataDirectory).length === 0)
  })
})

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Sends an endless form: fields at the call's limit, then others; returns the status. */
async function bomb(url: string, { token, path, fields }: { token: string; path: string; fields: string[] }) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (piece: Buffer) => (answer += piece.toString()))
  socket.on('error', () => undefined)
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: test',
      `authorization: Bearer ${token}`,
      'content-type: multipart/form-data; boundary=edge',
      'transfer-encoding: chunked',
      '\r\n',
    ].join('\r\n'),
  )
  const names = [...fields, ...Array.from({ length: 100 }, (_, index) => `field${index}`)]
  for (const name of names) {
    const part = partOf(name, 'x'.repeat(2 * megabyte))
    const isAccepted = socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    if (!isAccepted) await firstOf(socket, ['drain', 'close', 'data'])
    if (answer !== '') break
  }
  await until(() => answer !== '')
  socket.destroy()
  return /^HTTP\/1.1 (\d+) /.exec(answer)?.[1]
}

async function firstOf(socket: ReturnType<typeof connect>, events: string[]): Promise<void> {
  return new Promise((came) => {
    for (const event of events) socket.once(event, () => came())
  })
}

function headOf(token: string, length: number): string {
  return [
    'POST /api/upload/aws-upload HTTP/1.1',
    'host: test',
    `authorization: Bearer ${token}`,
    'content-type: multipart/form-data; boundary=edge',
    `content-length: ${Math.round(length)}`,
    '\r\n',
  ].join('\r\n')
}

function partOf(name: string, value: string): string {
  return `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

/** Sends the head of an upload and the beginning of its file, then stops. */
async function beginUpload(url: string, token: string, length = megabyte) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const part = `--edge\r\ncontent-disposition: form-data; name="fileContent"; filename="a.png"\r\n\r\n`
  socket.write(headOf(token, length) + partOf('channel', 'sms') + part + 'x'.repeat(1000))
  await once(socket, 'connect')
  return socket
}

/** The next response on a connection. */
async function answerOn(socket: ReturnType<typeof connect>): Promise<Buffer> {
  const [piece] = (await once(socket, 'data')) as [Buffer]
  return piece
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((found, failed) => {
    stdout?.on('data', (piece: Buffer) => {
      text += piece.toString()
      const url = /is at (http:\S+)/.exec(text)?.[1]
      if (url) found(url)
    })
    stdout?.once('end', () => failed(new Error(`It ended before it served: ${text}`)))
  })
}
