import { request } from 'node:http'
import { crc32, deflateSync } from 'node:zlib'
import type { PublicBrand } from '@carillon/contract/brands'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { sweepFiles, createFileStore } from '../files/index.ts'
import { brandOf } from './index.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let user: Account
let otherReseller: Account

beforeAll(async () => {
  server = await testServer({ environment: { PUBLIC_URL: 'https://messages.carillon.example' } })
  const { database } = server
  admin = await buildAdmin(database)
  reseller = await buildReseller(database, { parent: admin })
  manager = await buildManager(database, { parent: reseller })
  user = await buildUser(database, { parent: manager })
  otherReseller = await buildReseller(database, { parent: admin })
})
afterAll(() => server.close())

const deccan = {
  name: 'Deccan Messaging',
  color: '#0f766e',
  colorDark: '#5eead4',
  privacyUrl: 'https://deccan.example/privacy',
  supportEmail: 'help@deccan.example',
  mailSenderName: 'Deccan Post',
}
const set = (as: Account, brand: object) => server.callUnchecked('brand.set', { as, body: brand })

/** A request of a browser with this host name. */
function currentBy(host: string): Promise<PublicBrand> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}/api/v1/brand/host`, { headers: { host } }, (answer) => {
      answer.setEncoding('utf8')
      let text = ''
      answer.on('data', (piece: string) => (text += piece))
      answer.on('end', () => resolve((JSON.parse(text) as { data: PublicBrand }).data))
    })
    asked.on('error', reject)
    asked.end()
  })
}
async function currentAs(as: Account): Promise<PublicBrand> {
  return server.ask('brand.current', { as })
}

test("without a brand the product's own name is shown", async () => {
  expect(await currentBy('127.0.0.1')).toMatchObject({ name: 'Carillon', isOwn: true, color: '#06707e' })
  expect(await server.call('brand.get', { as: reseller })).toMatchObject({
    body: { data: { name: `Name of ${reseller.username}`, hosts: [], isSet: false } },
  })
})

test('a host name shows its brand before login, whatever the port and the case', async () => {
  expect(await set(reseller, { ...deccan, hosts: ['sms.deccan.example'] })).toMatchObject({
    status: 200,
    body: { data: { isSet: true, hosts: ['sms.deccan.example'] } },
  })
  for (const host of ['sms.deccan.example', 'SMS.Deccan.example:3000'])
    expect(await currentBy(host)).toMatchObject({ name: 'Deccan Messaging', isOwn: false, color: '#0f766e' })
  expect(await currentBy('other.example')).toMatchObject({ name: 'Carillon' })
  const shown = await currentBy('sms.deccan.example')
  expect(shown).not.toHaveProperty('hosts')
  expect(shown).not.toHaveProperty('mailSenderName')
})

test('all accounts below have it after login, on any host; no other account has it', async () => {
  for (const account of [reseller, manager, user]) expect(await currentAs(account)).toMatchObject({ name: deccan.name })
  for (const account of [admin, otherReseller]) expect(await currentAs(account)).toMatchObject({ name: 'Carillon' })
  await asSystem(server.database, async (db) => {
    expect(await brandOf(db, manager.organizationId)).toMatchObject({
      name: deccan.name,
      mailSenderName: 'Deccan Post',
    })
    expect(await brandOf(db, otherReseller.organizationId)).toMatchObject({ name: 'Carillon' })
  })
})

test("a host name belongs to one organisation, the installation's own to an admin", async () => {
  const refused = (host: string) => ({
    status: 409,
    body: { message: `${host} is already in use`, details: [{ field: 'hosts' }] },
  })
  expect(await set(otherReseller, { ...deccan, hosts: ['new.example', 'sms.deccan.example'] })).toMatchObject(
    refused('sms.deccan.example'),
  )
  expect(await set(otherReseller, { ...deccan, hosts: ['messages.carillon.example'] })).toMatchObject(
    refused('messages.carillon.example'),
  )
  expect(await currentBy('new.example')).toMatchObject({ name: 'Carillon' })
  expect(await set(admin, { ...deccan, name: 'Ours', hosts: ['messages.carillon.example'] })).toMatchObject({
    status: 200,
  })
  expect(await currentBy('unknown.example')).toMatchObject({ name: 'Ours' })
})

describe('is rejected at the invalid field', () => {
  test.each([
    ['a colour too light for white text', { color: '#5eead4' }, 'color'],
    ['a colour too dark for the dark theme', { colorDark: '#0f766e' }, 'colorDark'],
    ['a colour by its name', { color: 'teal' }, 'color'],
    ['a link that runs', { privacyUrl: 'javascript:alert(1)' }, 'privacyUrl'],
    ['an address for a host name', { hosts: ['https://sms.deccan.example'] }, 'hosts.0'],
    ['an address of numbers', { hosts: ['10.0.0.1'] }, 'hosts.0'],
    ['no name', { name: ' ' }, 'name'],
  ])('%s', async (_, change, field) => {
    expect(await set(otherReseller, { ...deccan, ...change })).toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    })
  })
})

function chunk(kind: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function png(side: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(side * (side + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const upload = (as: Account, content: Buffer | string, type = 'image/png') =>
  server.call('brand.setLogo', { as, files: { logo: { name: 'logo.png', content, type } } })

describe('a logo', () => {
  test('is public, without hidden metadata, and may be cached forever', async () => {
    const answer = await upload(reseller, Buffer.concat([png(64), Buffer.from('<script>alert(1)</script>')]))
    const { logo } = answer.data()
    expect(await currentAs(user)).toMatchObject({ logo })
    const served = await fetch(`${server.url}${logo}`)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png(64))
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; sandbox`,
    })
  })

  test('has a new address after a change; the old one is not found, the new one survives the sweep', async () => {
    const first = (await upload(reseller, png(32))).data().logo
    const second = (await upload(reseller, png(48))).data().logo
    await sweepFiles(
      { database: server.database, store: createFileStore(`${server.dataDirectory}/files`) },
      new Date(Date.now() + 60_000),
    )
    expect((await fetch(`${server.url}${first}`)).status).toBe(404)
    expect((await fetch(`${server.url}${second}`)).status).toBe(200)
    expect(await server.call('brand.removeLogo', { as: reseller })).toMatchObject({ status: 200 })
    expect((await fetch(`${server.url}${second}`)).status).toBe(404)
    expect(await currentAs(user)).not.toHaveProperty('logo')
  })

  test.each([
    ['an SVG declared as a PNG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Choose a PNG'],
    ['nothing', Buffer.alloc(0), 'Choose a PNG'],
    ['a picture too large to show', png(1025), '1025 × 1025'],
    ['a speck', png(8), '8 × 8'],
  ])('cannot be %s', async (_, content, words) => {
    expect(await upload(reseller, content)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(words), details: [{ field: 'logo' }] },
    })
  })

  test('may have up to half a megabyte', async () => {
    expect(await upload(reseller, Buffer.alloc(513 * 1024))).toMatchObject({ status: 413 })
  })
})
