import { afterAll, beforeAll, expect, test } from 'vitest'
import { inScope } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { openPostOffice, type PostOffice } from '../../testing/post-office.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { notify } from '../notifications/index.ts'
import { queueMail } from './index.ts'

let post: PostOffice
let server: TestServer
let reseller: Account
let manager: Account

beforeAll(async () => {
  post = await openPostOffice()
  server = await testServer({
    environment: {
      SMTP_URL: post.url,
      MAIL_FROM: 'Carillon <mail@carillon.example>',
      PUBLIC_URL: 'https://messages.example',
    },
  })
  reseller = await buildReseller(server.database, { parent: await buildAdmin(server.database) })
  manager = await buildManager(server.database, { parent: reseller })
})
afterAll(async () => {
  await server.close()
  post.close()
})

/** Undoes the soft line breaks of quoted-printable. */
const ofSubject = (subject: string) =>
  post.received.filter((mail) => mail.includes(`Subject: ${subject}`)).map((mail) => mail.replaceAll('=\r\n', ''))
const write = (subject: string) =>
  inScope(server.database, { organizationId: manager.organizationId, path: manager.path, descends: false }, (db) =>
    queueMail(db, { organizationId: manager.organizationId, to: 'asha@test.example', subject, body: 'Hello <you>' }),
  )

test('a mail is sent once, as text and as HTML in which all values are escaped', async () => {
  await write('Plain news')
  await expect.poll(() => ofSubject('Plain news').length, { timeout: 15_000 }).toBe(1)
  const [mail = ''] = ofSubject('Plain news')
  expect(mail).toContain('From: Carillon <mail@carillon.example>')
  expect(mail).toContain('To: asha@test.example')
  expect(mail).toContain('Hello &lt;you&gt;')
  const { rows } = await server.database.ownerPool.query<{ sent_at: Date | null }>(
    `select sent_at from mails where subject = 'Plain news'`,
  )
  expect(rows).toEqual([{ sent_at: expect.any(Date) }])
})

test('a temporary failure of the mail server is retried, and its response is shown with the mail meanwhile', async () => {
  post.refusals = ['451 Try again later']
  await write('Patient news')
  const errors = async () =>
    (
      await server.database.ownerPool.query<{ error: string | null }>(
        `select error from mails where subject = 'Patient news'`,
      )
    ).rows[0]?.error
  await expect.poll(errors, { timeout: 15_000 }).toContain('451')
  await expect.poll(() => ofSubject('Patient news').length, { timeout: 30_000 }).toBe(1)
}, 60_000)

test('a mail uses the brand of the organisation that serves the account, and links to the product', async () => {
  await server.database.ownerPool.query('insert into brands (organization_id, brand) values ($1, $2)', [
    reseller.id,
    JSON.stringify({
      name: 'Deccan Messaging',
      color: '#0f766e',
      colorDark: '#5eead4',
      mailSenderName: 'Deccan Post',
      mailReplyTo: 'help@deccan.example',
    }),
  ])
  await inScope(
    server.database,
    { organizationId: manager.organizationId, path: manager.path, descends: false },
    (db) =>
      notify(db, [
        {
          organizationId: manager.organizationId,
          accountId: manager.id,
          kind: 'balance_low',
          title: 'Branded news',
          description: 'Little is left',
          eventKey: newId(),
        },
      ]),
  )
  await expect.poll(() => ofSubject('Branded news').length, { timeout: 15_000 }).toBe(1)
  const [mail = ''] = ofSubject('Branded news')
  expect(mail).toContain('From: Deccan Post <mail@carillon.example>')
  expect(mail).toContain('Reply-To: help@deccan.example')
  expect(mail).toContain('https://messages.example/')
  expect(mail).toContain('Deccan Messaging')
})
