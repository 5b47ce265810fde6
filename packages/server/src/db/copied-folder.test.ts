import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts'

let root: string
let original: string
let copy: string
const started: EmbeddedPostgres[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'carillon-copied-'))
  // As root, the database runs as another user, who needs access.
  chmodSync(root, 0o755)
  original = join(root, 'original')
  copy = join(root, 'copy')
})
afterEach(async () => {
  for (const postgres of started.splice(0)) await postgres.stop()
  rmSync(root, { recursive: true, force: true })
})

async function start(dataDirectory: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off', shared_buffers: '16MB' } })
  if (!started.some(({ pid }) => pid === postgres.pid)) started.push(postgres)
  return postgres
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url.replace(/carillon$/, 'postgres') })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows.map((row) => Object.values(row)[0])
  } finally {
    await client.end()
  }
}

/** Like `cp -a` while the server runs. */
function copyFolder(from: string, to: string) {
  cpSync(from, to, { recursive: true })
  if (process.getuid?.() === 0) copyOwners(from, to)
}

function copyOwners(from: string, to: string) {
  const { uid, gid, mode } = statSync(from)
  chownSync(to, uid, gid)
  chmodSync(to, mode)
  if (!statSync(from).isDirectory()) return
  for (const name of readdirSync(from)) if (existsSync(join(to, name))) copyOwners(join(from, name), join(to, name))
}

test('a folder copied while its server ran gets a server of its own', async () => {
  const first = await start(original)
  await query(first.url, 'create table marks as select 1 as mark')
  await query(first.url, 'checkpoint')
  copyFolder(original, copy)
  await query(first.url, 'update marks set mark = 2')

  const second = await start(copy)
  expect({ pid: second.pid === first.pid, port: second.port === first.port }).toEqual({ pid: false, port: false })
  expect(await query(second.url, 'select mark from marks')).toEqual([1])
  expect(await query(first.url, 'select mark from marks')).toEqual([2])
  await second.stop()
  expect(await query(first.url, 'select mark from marks')).toEqual([2])
})

test('a copy in place of the original, whose server still runs elsewhere, gets a server of its own', async () => {
  const first = await start(original)
  copyFolder(original, copy)
  renameSync(original, join(root, 'moved'))
  renameSync(copy, original)
  const second = await start(original)
  expect(second.pid).not.toBe(first.pid)
})

test('the server of the folder itself is used, also after the folder was moved', async () => {
  const first = await start(original)
  expect((await start(original)).pid).toBe(first.pid)
  renameSync(original, copy)
  expect((await start(copy)).pid).toBe(first.pid)
  expect(readdirSync(join(copy, 'postgres')).filter((name) => name.startsWith('carillon'))).toEqual([])
})

test('a reused pid of a process that is not PostgreSQL does not prevent the start', async () => {
  const first = await start(original)
  await first.stop()
  const lines = [process.pid, join(original, 'postgres'), '1', first.port, '', '127.0.0.1', '', 'ready']
  writeFileSync(join(original, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`)
  const second = await start(original)
  expect(await query(second.url, 'select 1')).toEqual([1])
})
