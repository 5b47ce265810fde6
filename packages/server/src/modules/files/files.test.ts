import type { Channel } from '@carillon/contract/channels'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildDepartmentHead, buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { createFileStore } from './file-store.ts'
import { sweepFiles } from './sweep-files.ts'

let server: TestServer
let manager: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  foreign = await buildManager(server.database)
})
afterAll(() => server.close())

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])

type Upload = { name?: string; as?: Account; channel?: Channel }

function upload(content: Uint8Array | string, { name = 'picture.png', as = manager, channel = 'sms' }: Upload = {}) {
  return server.call('uploads.create', {
    as,
    body: { channel },
    files: { fileContent: { name, content, type: 'image/png' } },
  })
}

function storedKeys(): string[] {
  return readdirSync(join(server.dataDirectory, 'files'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('-'),
  )
}

test.each([
  ['PNG', png, 'image/png'],
  ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
  ['GIF', 'GIF89a......', 'image/gif'],
  ['WebP', 'RIFF\u0001\u0001\u0001\u0001WEBPVP8 ', 'image/webp'],
  ['MP4', '\u0000\u0000\u0000\u0018ftypisom....', 'video/mp4'],
  ['3GP', '\u0000\u0000\u0000\u0018ftyp3gp5....', 'video/3gpp'],
  ['PDF', '%PDF-1.7\n', 'application/pdf'],
  ['MP3', 'ID3\u0004', 'audio/mpeg'],
  ['Ogg', 'OggS\u0000', 'audio/ogg'],
])('detects %s by its content, whatever its name', async (_, content, mimeType) => {
  expect(await upload(content, { name: 'whatever.bin' })).toMatchObject({
    status: 200,
    body: { data: { mimeType, channel: 'sms', name: 'whatever.bin' } },
  })
})

test.each([
  ['an SVG that is called a PNG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['a web page', '<!doctype html><script>alert(1)</script>'],
  ['a program', Buffer.from('7f454c460201010000', 'hex')],
  ['a zip', Buffer.from('504b0304140000', 'hex')],
  ['plain text', 'hello'],
  ['nothing', ''],
])('rejects %s and stores none of it', async (_, content) => {
  const before = storedKeys().length
  expect(await upload(content)).toMatchObject({
    status: 400,
    body: { success: false, details: [{ field: 'fileContent' }] },
  })
  expect(storedKeys()).toHaveLength(before)
})

test('a name that looks like a path is only a name', async () => {
  expect(await upload(png, { name: '../../../etc/passwd' })).toMatchObject({
    status: 200,
    body: { data: { name: 'passwd' } },
  })
})

test('lists the newest first, of one channel and one organisation', async () => {
  const first = (await upload(png, { channel: 'rcs' })).data()
  const second = (await upload(png, { channel: 'rcs' })).data()
  const list = async (as: Account) =>
    (await server.ask('uploads.list', { as, query: { channel: 'rcs' } })).map(({ _id }) => _id)
  expect(await list(manager)).toEqual([second._id, first._id])
  expect(await list(foreign)).toEqual([])
})

test("deletes only when the channel in the body is the file's own", async () => {
  const data = (await upload(png)).data()
  const remove = (as: Account, channel: Channel, id = data._id) =>
    server.call('uploads.delete', { as, path: { id }, body: { channel } })
  expect(await remove(manager, 'whatsapp')).toMatchObject({ status: 400, body: { details: [{ field: 'channel' }] } })
  const theirs = await remove(foreign, 'sms')
  expect(theirs).toMatchObject({ status: 404, body: { message: 'File not found' } })
  expect((await remove(foreign, 'sms', newId())).body).toEqual(theirs.body)
  const before = storedKeys().length
  expect(await remove(manager, 'sms')).toMatchObject({ status: 200 })
  await expect.poll(() => storedKeys().length).toBe(before - 1)
  expect(await remove(manager, 'sms')).toMatchObject({ status: 404 })
})

test('a department head may not upload', async () => {
  expect(await upload(png, { as: await buildDepartmentHead(server.database, { parent: manager }) })).toMatchObject({
    status: 403,
  })
})

test('the sweep removes only files that no record references', async () => {
  const store = createFileStore(join(server.dataDirectory, 'files'))
  const data = (await upload(png)).data()
  const { storage_key } = await asSystem(server.database, (db) =>
    db.selectFrom('files').select('storage_key').where('id', '=', data._id).executeTakeFirstOrThrow(),
  )
  await asSystem(server.database, (db) => db.deleteFrom('files').where('id', '=', data._id).execute())
  const others = storedKeys().filter((key) => key !== storage_key)
  await sweepFiles({ database: server.database, store }, new Date(Date.now() + 1000))
  expect(storedKeys().toSorted()).toEqual(others.toSorted())
})

test('content that ends with an error leaves no file', async () => {
  const directory = join(server.dataDirectory, 'broken')
  const store = createFileStore(directory)
  async function* content() {
    yield await Promise.resolve('half')
    throw new Error('no more')
  }
  await expect(store.put(Readable.from(content()))).rejects.toThrow('no more')
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files).toEqual([])
})

test('a malformed key opens nothing', () => {
  const store = createFileStore(join(server.dataDirectory, 'files'))
  expect(() => store.open('../secret')).toThrow('wrong form')
})
