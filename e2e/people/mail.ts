import { asSystem } from '@carillon/server/db/pool'
import type { Stack } from '../support/stack.ts'

/** Subjects of the mails to an address, oldest first. */
export async function subjectsTo({ database }: Stack, address: string): Promise<string[]> {
  const mails = await asSystem(database, (db) =>
    db.selectFrom('mails').select('subject').where('recipient', '=', address).orderBy('created_at').execute(),
  )
  return mails.map(({ subject }) => subject)
}

/** Path of the link in the latest mail; undefined if there is none. */
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
