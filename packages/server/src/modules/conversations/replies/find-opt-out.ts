import { channelTraits } from '@carillon/contract/channels/table'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { Problem } from '../../../lib/problem.ts'
import { findOptOutKeyword } from '../../messages/index.ts'
import { phoneOf, type ConversationRow } from '../access/lock-conversation.ts'

type OptOutRow = { at: string; isMarketingOnly: boolean }

/**
 * Throws if the person opted out of such messages. A person who opted out of all messages and then wrote again asked for an answer; the
 * result is the opt-out that they had made, if any.
 */
export async function assertNotOptedOut(
  db: Db,
  conversation: ConversationRow,
  { isMarketing = false }: { isMarketing?: boolean | undefined },
): Promise<string | undefined> {
  const optOuts = await findOptOuts(db, conversation)
  const [latest] = optOuts.filter(({ isMarketingOnly }) => !isMarketingOnly)
  const { label } = channelTraits[conversation.channel]
  if (isMarketing && optOuts.length > 0) throw refuse(`This person opted out of marketing messages over ${label}`)
  if (!latest) return undefined
  if (await wroteAgain(db, conversation, latest.at)) return latest.at
  throw refuse(`This person opted out of ${label} messages. You can answer once they write again`)
}

function refuse(message: string): Problem {
  return new Problem('conflict', message, { details: [{ field: 'opted_out', message }] })
}

/** Latest first. */
async function findOptOuts(db: Db, conversation: ConversationRow): Promise<OptOutRow[]> {
  const { organization_id: organizationId, channel, identity } = conversation
  const { rows } = await sql<OptOutRow>`
    select at::text as at, "isMarketingOnly" from (
      select at, marketing_only as "isMarketingOnly" from opt_outs
      where organization_id = ${organizationId}::uuid and phone = ${phoneOf(conversation)}::bigint
        and channel = any(opt_out_channels(${organizationId}::uuid, ${channel}::channel))
      union all
      select opted_out_at, false from contact_identities
      where organization_id = ${organizationId}::uuid and channel = ${channel}::channel and identity = ${identity} and opted_out_at is not null
      union all
      select no_marketing_at, true from contact_identities
      where organization_id = ${organizationId}::uuid and channel = ${channel}::channel and identity = ${identity} and no_marketing_at is not null
    ) known
    order by known.at desc`.execute(db)
  return rows
}

/** Whether the last message since the opt-out asks for an answer. */
async function wroteAgain(db: Db, { organization_id, id }: ConversationRow, since: string): Promise<boolean> {
  const row = await db
    .selectFrom('inbound_messages')
    .select('text')
    .where('organization_id', '=', organization_id)
    .where('conversation_id', '=', id)
    .where(sql<boolean>`received_at > ${since}::timestamptz`)
    .where(sql<boolean>`coalesce(content ->> 'type', 'text') not in ('reaction', 'system')`)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && findOptOutKeyword(row.text)?.request !== 'out'
}
