import type { LineTemplate } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { LegTemplate, ServerChannel } from '../../../channels/channel.ts'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { getLine } from './list-lines.ts'

type Wanted = { actor: UserActor; lineId: string; search: string | undefined; limit: number }

/** Templates with a one-time code are sent by software that made the code, not by a member. */
const codeCategory = 'AUTHENTICATION'

/** Approved templates of a line that a member may send, the most used first. */
export async function listLineTemplates(db: Db, { actor, lineId, search, limit }: Wanted): Promise<LineTemplate[]> {
  const line = await getLine(db, actor, lineId)
  const channel = getChannel(line.channel)
  const { summarize } = channel
  if (!summarize) return []
  const rows = await db
    .selectFrom('templates')
    .select(['id', 'name', 'language', 'category', 'content', 'facts'])
    .where('organization_id', '=', actor.organizationId)
    .where('channel', '=', line.channel)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(status) = 'approved'`)
    .where(sql<boolean>`upper(category) is distinct from ${codeCategory}`)
    .where(
      sql<boolean>`case when sender_id is not null then sender_id = ${line.id}::uuid
        else provider_account_id is null or provider_account_id = ${line.provider_account_id}::uuid end`,
    )
    .where(sql<boolean>`strpos(lower(name), lower(${search ?? ''})) > 0`)
    .orderBy('used_count', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, name, language, category, content, facts }) => ({
    _id: id,
    name,
    language,
    category,
    traits: summarize({ content, category }),
    values: valuesOf(channel, { content, facts }),
  }))
}

/** A template has fewer values than this. */
const mostValues = 100

/** The names of the values that a reply with the template needs, as the channel asks for them one after the other. */
export function valuesOf(channel: ServerChannel, template: Pick<LegTemplate, 'content' | 'facts'>): string[] {
  const values: Record<string, string> = {}
  for (let count = 0; count < mostValues; count += 1) {
    const read = channel.replyValues(template, values)
    if (!('missing' in read)) break
    values[read.missing] = '-'
  }
  return Object.keys(values)
}
