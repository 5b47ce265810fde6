import type { ReplyContent } from '@carillon/contract/conversation-records'
import type { LegSender } from '../../../channels/channel.ts'
import type { FreeReply } from '../../../channels/replies.ts'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { findCampaignTemplate, findLegSender } from '../../campaigns/index.ts'
import { getFile } from '../../files/index.ts'
import type { SingleSend } from '../../messages/index.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import type { Member } from '../access/sees.ts'
import { composeTemplate } from './compose-template.ts'
import { findQuoted } from './find-quoted.ts'

/** A reply as input of a single send. */
export type ComposedReply = Pick<
  SingleSend,
  'header' | 'text' | 'content' | 'category' | 'isMarketing' | 'entityId' | 'dltTemplateId'
> & {
  /** The provider's id of the message that it refers to. */
  inReplyTo: string | undefined
  /** Reactions answer nothing. */
  isAnswer: boolean
}

export type ReplyRequest = { member: Member; conversation: ConversationRow; content: ReplyContent; publicUrl: string }

/** The reply in the channel's format; throws an error of the field that the channel does not accept. */
export async function composeReply(db: Db, request: ReplyRequest): Promise<ComposedReply> {
  const { member, conversation, content } = request
  const rules = getChannel(conversation.channel)
  const sender = await findLegSender(db, member.scope, { channel: conversation.channel, id: conversation.sender_id })
  if (!sender) throw conflict(`The ${rules.senderName} of this conversation was removed`)
  if (!sender.isActive) throw conflict(`${sender.name} is off: switch it on to send`)
  if (content.type === 'template') return writeTemplate(db, { ...request, content, sender })
  const quoted = content.type === 'reaction' ? await findReactedTo(db, conversation, content.to) : undefined
  const reply = await readReply(db, { ...request, content, messageId: quoted ?? '' })
  const written = rules.composeReply(reply, request)
  if ('problem' in written) throw badField(`content.${written.field}`, written.problem)
  return {
    ...written,
    ...(await headerOf(db, conversation, sender)),
    isMarketing: false,
    inReplyTo: quoted,
    isAnswer: content.type !== 'reaction',
  }
}

type FreeContent = Exclude<ReplyContent, { type: 'template' }>

async function readReply(
  db: Db,
  { member, conversation, content, messageId }: ReplyRequest & { content: FreeContent; messageId: string },
): Promise<FreeReply> {
  if (content.type === 'text') return content
  if (content.type === 'reaction') return { type: 'reaction', messageId, emoji: content.emoji }
  const file = await getFile(db, { organizationId: member.organizationId, id: content.fileId })
  const { id, name, channel, purpose, mime_type: mimeType, size_bytes: sizeBytes } = file
  if (purpose !== 'media') throw notFound('File')
  if (channel !== conversation.channel)
    throw badField('content.fileId', `This file belongs to the channel ${channel ?? 'of another purpose'}`)
  return { type: 'media', file: { id, name, mimeType, sizeBytes }, caption: content.caption }
}

async function findReactedTo(db: Db, conversation: ConversationRow, id: string): Promise<string> {
  const quoted = await findQuoted(db, conversation, id)
  if (quoted?.by !== 'person') throw badField('content.to', 'Only messages of the person can be reacted to')
  return quoted.providerId
}

/** People get answers from the number or header that they wrote to, if the sender has several. */
async function headerOf(
  db: Db,
  { organization_id, id, channel }: ConversationRow,
  { headers, name, entityId }: LegSender,
): Promise<Pick<ComposedReply, 'header' | 'entityId'>> {
  const [first, ...others] = headers
  if (first === undefined && getChannel(channel).isHeaderOfTemplate)
    throw conflict(`${name} has no headers yet: add one to send`)
  const written = others.length === 0 ? undefined : await findWrittenTo(db, { organization_id, id, headers })
  return { header: written ?? first ?? name, entityId: entityId ?? undefined }
}

async function findWrittenTo(
  db: Db,
  { organization_id, id, headers }: { organization_id: string; id: string; headers: readonly string[] },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('inbound_messages')
    .select('sent_to')
    .where('organization_id', '=', organization_id)
    .where('conversation_id', '=', id)
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return headers.find((header) => header === row?.sent_to)
}

type TemplateRequest = ReplyRequest & { content: Extract<ReplyContent, { type: 'template' }>; sender: LegSender }

async function writeTemplate(
  db: Db,
  { member, conversation, content, sender }: TemplateRequest,
): Promise<ComposedReply> {
  const { channel } = conversation
  const template = await findCampaignTemplate(db, member.scope, { channel, id: content.templateId })
  if (!template) throw notFound('Template')
  const written = composeTemplate({ channel, sender, template, values: content.values, field: 'content.values' })
  const { organizationId } = member
  for (const id of written.fileIds) await getFile(db, { organizationId, id })
  return { ...written.message, inReplyTo: undefined, isAnswer: true }
}
