import type { Channel } from '@carillon/contract/channels'
import type { PublicTemplateRecord } from '@carillon/contract/public-message-records'
import { sql } from 'kysely'
import { getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { valuesOf } from '../conversations/index.ts'

type Page = { organizationId: string; channel: Channel | undefined; cursor: string | undefined; limit: number }

/** In the order of their ids. */
export async function listPublicTemplates(
  db: Db,
  { organizationId, channel, cursor, limit }: Page,
): Promise<{ templates: PublicTemplateRecord[]; cursor: string | null }> {
  const rows = await db
    .selectFrom('templates')
    .select(['id', 'name', 'channel', 'language', 'category', 'status', 'content', 'facts'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where(channel === undefined ? sql<boolean>`true` : sql<boolean>`channel = ${channel}::channel`)
    .where(cursor === undefined ? sql<boolean>`true` : sql<boolean>`id > ${cursor}::uuid`)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    templates: page.map(({ content, facts, ...row }) => ({
      ...row,
      values: valuesOf(getChannel(row.channel), { content, facts }),
    })),
    cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}
