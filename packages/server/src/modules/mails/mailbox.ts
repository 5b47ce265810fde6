import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { findSender } from './find-sender.ts'
import { escapeHtml, htmlOf } from './write-mail.ts'

type Row = {
  id: string
  organization_id: string
  recipient: string
  subject: string
  body: string
  link: string | null
  created_at: Date
}

const shown = 100
/** Mails have inline styles and no scripts. */
const mailPolicy = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`

/** Shows the mails of a demo in the browser. Never mounted elsewhere: they contain sign-in links. */
export async function mountMailbox(app: FastifyInstance, database: Database) {
  await app.register(async (mailbox) => {
    mailbox.addHook('onRoute', (route) => {
      route.config = { ...route.config, policy: 'mailbox' }
    })
    mailbox.get('/dev/mail', async (_request, reply) => {
      const mails = await list(database)
      const rows = mails.map(
        ({ id, recipient, subject, created_at }) =>
          `<li><a href="/dev/mail/${id}">${escapeHtml(subject)}</a> to ${escapeHtml(recipient)}, ${created_at.toISOString()}</li>`,
      )
      const entries = rows.length > 0 ? `<ul>${rows.join('\n')}</ul>` : '<p>No mails yet.</p>'
      return reply
        .type('text/html; charset=utf-8')
        .send(
          `<!doctype html><html lang="en"><head><title>Mails of the demo</title></head><body><h1>Mails of the demo</h1>${entries}</body></html>`,
        )
    })
    mailbox.get('/dev/mail/:id', async (request, reply) => {
      // The route declares this parameter.
      const { id } = request.params as { id: string }
      const mail = (await list(database)).find((one) => one.id === id)
      if (!mail) return reply.code(404).type('text/plain').send('No such mail')
      const sender = await asSystem(database, (db) => findSender(db, mail.organization_id))
      const link = mail.link && new URL(mail.link, `${request.protocol}://${request.host}`).href
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', mailPolicy)
        .send(htmlOf({ ...mail, link }, sender?.brand))
    })
  })
}

async function list(database: Database): Promise<Row[]> {
  return asSystem(database, async (db) => {
    const { rows } = await sql<Row>`
      select id, organization_id, recipient, subject, body, link, created_at from mails order by created_at desc limit ${shown}`.execute(
      db,
    )
    return rows
  })
}
