import type { ChatMessage } from '@carillon/contract/realtime'
import { ReplyContent } from '@carillon/contract/conversation-records'
import type { UserActor } from '../../../actor.ts'
import { inScope, type Database, type Db } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { badField, notFound, Problem } from '../../../lib/problem.ts'
import { sendReply, type ReplyDeps } from './send-reply.ts'

/** Sends a message that a browser submitted over its socket. Throws a `Problem` if it is refused. */
export async function sendChatMessage(
  { database, ...deps }: ReplyDeps & { database: Database },
  { actor, frame }: { actor: UserActor; frame: ChatMessage },
): Promise<string> {
  if (!actor.modules.has('chat')) throw new Problem('module_forbidden', 'Your account does not have the module chat')
  const content = readContent(frame)
  const clientId = clientIdOf(frame)
  const { itemId } = await inScope(database, actor.scope, async (db) => {
    await assertAgrees(db, actor, frame)
    return sendReply(db, deps, { member: actor, id: frame.chatId, clientId, content })
  })
  return itemId
}

/** `text` with its body, or a reply as the calls of the API have it. */
function readContent({ messageType, messageObject, text }: ChatMessage): ReplyContent {
  const { clientId: _, ...object } = messageObject
  const body = text ?? object['text'] ?? Object(object['text']).body ?? object['body']
  const given = messageType === 'text' ? { type: 'text', text: textOf(body) } : { ...object, type: messageType }
  const parsed = ReplyContent.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw badField(`messageObject.${issue?.path.join('.') ?? ''}`, issue?.message ?? 'This message cannot be read')
}

function textOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'body' in value ? value.body : value
}

/** Without an id of the browser's, each frame is a message of its own. */
function clientIdOf({ messageObject }: ChatMessage): string {
  const given = messageObject['clientId']
  return typeof given === 'string' && given.length >= 8 && given.length <= 64 ? given : newId()
}

/** The number and channel must be those of the conversation: a stale page could otherwise write to another person. */
async function assertAgrees(db: Db, actor: UserActor, { chatId, phoneNumber, channel }: ChatMessage): Promise<void> {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(chatId)) throw notFound('Conversation')
  const row = await db
    .selectFrom('conversations')
    .select(['channel', 'identity'])
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', chatId)
    .executeTakeFirst()
  if (!row) throw notFound('Conversation')
  const digits = phoneNumber.replace(/^\+/, '')
  const isSamePerson = digits === row.identity || (digits === '' && !/^\d+$/.test(row.identity))
  if (row.channel !== channel || !isSamePerson)
    throw badField('chatId', 'This conversation is with another number or channel')
}
