import { asSystem } from '@carillon/server/db/pool'
import type { Stack } from '../support/stack.ts'

/** The subjects of what was written to an address, the oldest first. */
export async function subjectsTo({ database }: Stack, address: string): Promise<string[]> {
  const mails = await asSystem(database, (db) =>
    db.selectFrom('mails').select('subject').where('recipient', '=', address).orderBy('created_at').execute(),
  )
  return mails.map(({ subject }) => subject)
}

/** Where the link of the latest mail leads inside the product; undefined before there is one. */
export async function linkTo({ database }: Stack, address: string): Promise<string | undefined> {
  const mail = await asSystem(database, (db) =>
    db
      .selectFrom('mails')
      .select('link')
      .where('recipient', '=', address)
      .where('link', 'is not', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst(),
  )
  if (!mail?.link) return undefined
  const { pathname, search } = new URL(mail.link)
  return pathname + search
}
