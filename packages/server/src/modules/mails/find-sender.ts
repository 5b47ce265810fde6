import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { MailBrand } from './write-mail.ts'

export type MailSender = { brand: MailBrand; name: string | null; replyTo: string | null }

/** Brand, sender name and reply address of an organisation's mails; undefined without a brand above it. */
export async function findSender(db: Db, organizationId: string): Promise<MailSender | undefined> {
  const { rows } = await sql<MailSender>`
    select jsonb_build_object('name', brands.brand->>'name', 'color', brands.brand->>'color') as brand,
      nullif(brands.brand->>'mailSenderName', '') as name, nullif(brands.brand->>'mailReplyTo', '') as "replyTo"
    from accounts own join accounts above on above.path @> own.path join brands on brands.organization_id = above.id
    where own.id = ${organizationId}::uuid
    order by nlevel(above.path) desc limit 1`.execute(db)
  return rows[0]
}
