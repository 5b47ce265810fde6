import { ReplyContent, type ScheduledReply } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

type Row = {
  id: string
  content: unknown
  template_name: string | null
  send_at: Date
  author_id: string
  author: string | null
  ends_on_answer: boolean
  result: Exclude<ScheduledReply['result'], 'waiting'> | null
  detail: string | null
}

/** Replies that wait, and those that were not sent within the last week, with the reason. */
export async function readScheduledReplies(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<ScheduledReply[]> {
  const { rows } = await sql<Row>`
    with chosen as materialized (
      select * from scheduled_replies
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid
        and (ended_at is null or (result not in ('sent', 'cancelled') and ended_at > now() - interval '7 days'))
      order by send_at, id limit 100
    )
    select chosen.*, template.name as template_name, author.name as author
    from chosen
    left join member_names(${organizationId}::uuid, array(select author_id from chosen)) author on author.id = chosen.author_id
    left join templates template on template.organization_id = chosen.organization_id and template.id = (chosen.content ->> 'templateId')::uuid
    order by chosen.send_at, chosen.id`.execute(db)
  return rows.map((row) => {
    const content = ReplyContent.parse(row.content)
    return {
      id: row.id,
      content,
      text: textOf(content, row.template_name ?? ''),
      sendAt: row.send_at.toISOString(),
      author: { _id: row.author_id, name: row.author ?? '' },
      endsOnAnswer: row.ends_on_answer,
      result: row.result ?? 'waiting',
      ...(row.detail !== null && { detail: row.detail }),
    }
  })
}

function textOf(content: ReplyContent, templateName: string): string {
  switch (content.type) {
    case 'text':
      return content.text
    case 'media':
      return content.caption
    case 'template':
      return templateName
    case 'reaction':
      return content.emoji
  }
}
