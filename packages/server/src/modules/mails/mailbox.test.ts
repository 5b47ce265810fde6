import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildManager } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { queueMail } from './queue-mail.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'], environment: { DEMO: 'true' } })
})
afterAll(() => server.close())

test('a mail in the demo mailbox is shown with its styles and links to this address', async () => {
  const { organizationId } = await buildManager(server.database)
  await asSystem(server.database, (db) =>
    queueMail(db, { organizationId, to: 'priya@shop.test', subject: 'Hello', body: 'Read it.', link: '/' }),
  )
  const list = await (await fetch(`${server.url}/dev/mail`)).text()
  const path = /href="(\/dev\/mail\/[^"]+)">Hello/.exec(list)?.[1] ?? ''
  const mail = await fetch(`${server.url}${path}`)
  expect(mail.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  )
  expect(await mail.text()).toContain(`Or open this address: ${server.url}/`)
})
