import type { Channel } from '@carillon/contract/channels'
import { maximumDaysAhead, type PublicLeg, type PublicSend } from '@carillon/contract/public-message-records'
import type { UserActor } from '../../actor.ts'
import { getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { defined } from '../../lib/defined.ts'
import { badField, conflict, notFound, Problem, withinField } from '../../lib/problem.ts'
import { applyConfig, findRestriction, type ConfiguredSend as KeyedSend } from '../api-keys/index.ts'
import { composeTemplate, type MessageContent } from '../conversations/index.ts'
import { entranceOfLeg } from './leg-entrance.ts'
import { getFile } from '../files/index.ts'
import type { SingleSend } from '../messages/index.ts'
import {
  chooseSender,
  chooseTemplate,
  loadChoices,
  matchTemplates,
  type Choices,
  type SenderRow,
  type TemplateRow,
} from './choose-sender.ts'

/** A message as the engine accepts it, and the names of its sender and those of its legs. */
export type ComposedSend = { send: SingleSend; senderName: string; legSenders: readonly string[] }

type Context = { actor: UserActor; publicUrl: string }

type Known = Context & Choices

/**
 * Finds the sender and the template of each message, and writes it in its channel's format; or says why it cannot be sent. The number
 * of statements does not depend on the number of messages, except for files.
 */
export async function composeSends(
  db: Db,
  context: Context,
  sends: readonly ConfiguredSend[],
): Promise<(ComposedSend | Problem)[]> {
  const known = { ...context, ...(await loadChoices(db, context.actor, sends)) }
  const composed: (ComposedSend | Problem)[] = []
  for (const send of sends) {
    try {
      composed.push(await composeWithLegs(db, known, send))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      composed.push(error)
    }
  }
  return composed
}

async function composeWithLegs(db: Db, known: Known, asked: ConfiguredSend): Promise<ComposedSend> {
  const first = await compose(db, known, asked)
  const legs: { send: SingleSend; sender: SenderRow; asked: PublicLeg }[] = []
  for (const [index, leg] of (asked.legs ?? []).entries()) {
    try {
      legs.push({ ...(await compose(db, known, toLegSend(leg, asked))), asked: leg })
    } catch (error) {
      throw error instanceof Problem ? withinField(error, `legs.${index}`) : error
    }
  }
  const before = [first, ...legs]
  return {
    senderName: first.sender.name,
    legSenders: legs.map(({ sender }) => sender.name),
    send: {
      ...first.send,
      ...(legs.length > 0 && {
        legs: legs.map(({ send, asked: leg }, index) => ({
          send,
          entrance: entranceOfLeg(leg.entryConditions, before[index]?.sender),
        })),
      }),
    },
  }
}

/** A leg is a message of its own to the same person. */
function toLegSend(
  { channel, from, template, text, content }: PublicLeg,
  { to, reference, metadata, ttlSeconds }: PublicSend,
): PublicSend {
  return { to, ...defined({ channel, from, template, text, content, reference, metadata, ttlSeconds }) }
}

type Composed = { send: SingleSend; sender: SenderRow }

async function compose(db: Db, known: Known, asked: ConfiguredSend): Promise<Composed> {
  const { actor } = known
  const config = actor.apiKey?.config
  const send = configure(known, asked)
  const templates = matchTemplates(known, send)
  const sender = chooseSender(known, send, templates)
  if (!sender.isActive) throw conflict(`${sender.name} is off: switch it on to send`)
  const template = send.template ? chooseTemplate(templates, sender) : undefined
  const written = await writeMessage(db, known, { send, sender, template })
  const message = { ...written, ...categoryOf(written, { send, asked, template }) }
  const { parts } = getChannel(sender.channel).countParts(message.text)
  const broken = findRestriction(config, { senderId: sender.id, parts, ...defined({ templateId: template?.id }) })
  if (broken) throw broken
  const sendAt = readSendAt(send)
  const { id, ttlSeconds = defaultTtlSeconds, reference, metadata, entityId, dltTemplateId } = send
  return {
    sender,
    send: {
      organizationId: actor.organizationId,
      accountId: actor.accountId,
      path: actor.scope.path,
      senderId: sender.id,
      kind: 'api',
      channel: sender.channel,
      phoneNumber: send.to,
      ...message,
      expiresAt: new Date((sendAt?.getTime() ?? Date.now()) + ttlSeconds * 1000),
      ...defined({ id, entityId, dltTemplateId, reference, metadata, sendAt }),
    },
  }
}

type Categorised = { send: PublicSend; asked: PublicSend; template: TemplateRow | undefined }

/** The category that the message names. One that only the config names is not for messages that have another one. */
function categoryOf(
  { category: own }: MessageContent,
  { send, asked, template }: Categorised,
): Partial<Pick<SingleSend, 'category' | 'isMarketing'>> {
  const { category, channel } = send
  if (category === undefined || category === own) return {}
  const categories = template || channel === undefined ? undefined : getChannel(channel).textCategories
  const chosen = categories?.[category]
  if (chosen) return { category, isMarketing: chosen.isMarketing }
  if (asked.category === undefined) return {}
  if (template) throw badField('category', `The category of this template is ${template.category}`)
  if (!categories) throw badField('category', 'Texts on this channel have no category: leave it out')
  throw badField('category', `Choose one of ${Object.keys(categories).join(', ')}`)
}

/** A message with what the public body does not have: its id, and DLT ids. */
export type ConfiguredSend = PublicSend & { id?: string; entityId?: string; dltTemplateId?: string }

/** With the defaults of the API key's config. The channel follows from the sender or the template, where neither names one. */
function configure(known: Known, send: ConfiguredSend): ConfiguredSend {
  const config = known.actor.apiKey?.config
  const { to, ttlSeconds, template } = send
  const asked: KeyedSend = {
    channel: send.channel ?? config?.channels.default ?? findChannel(known, send),
    to,
    hasContent: send.text !== undefined || send.content !== undefined,
    ...defined({
      ttlSeconds,
      category: send.category,
      language: template?.language,
      entityId: send.entityId,
      dltTemplateId: send.dltTemplateId,
    }),
  }
  const filled = applyConfig(config, asked)
  if (filled instanceof Problem) throw filled
  const { channel, senderId, category, entityId, dltTemplateId } = filled
  return {
    ...send,
    channel,
    to: filled.to ?? to,
    ...defined({
      from: send.from ?? senderId,
      template: findTemplate(send, filled),
      ttlSeconds: filled.ttlSeconds,
      category,
      entityId,
      dltTemplateId,
    }),
  }
}

function findChannel(known: Known, send: PublicSend): Channel {
  return chooseSender(known, send, matchTemplates(known, send)).channel
}

/** The template that the message or the config names, in the language of one of them. */
function findTemplate(
  { template }: PublicSend,
  { templateId, language, hasContent }: KeyedSend,
): PublicSend['template'] {
  if (template) return { ...template, ...defined({ language: template.language ?? language }) }
  if (templateId === undefined || hasContent) return undefined
  return { id: templateId, values: {} }
}

/** A time that has come already means now; one further back is a mistake of the caller. */
const pastGraceMs = 5 * 60_000

function readSendAt({ sendAt }: PublicSend): Date | undefined {
  if (sendAt === undefined) return undefined
  const at = new Date(sendAt)
  const ahead = at.getTime() - Date.now()
  if (ahead < -pastGraceMs) throw badField('sendAt', 'This time has passed')
  if (ahead > maximumDaysAhead * 86_400_000) throw badField('sendAt', `Choose a time within ${maximumDaysAhead} days`)
  return ahead > 0 ? at : undefined
}

const defaultTtlSeconds = 86_400

type Writing = { send: PublicSend; sender: SenderRow; template: TemplateRow | undefined }

async function writeMessage(db: Db, { actor, publicUrl }: Known, writing: Writing): Promise<MessageContent> {
  const { send, sender, template } = writing
  const { organizationId } = actor
  if (!template) return writeFree(db, { organizationId, publicUrl }, writing)
  const { message, fileIds } = composeTemplate({
    channel: sender.channel,
    sender,
    template,
    values: send.template?.values ?? {},
    field: 'template.values',
  })
  for (const id of fileIds) await getFile(db, { organizationId, id })
  return message
}

async function writeFree(
  db: Db,
  { organizationId, publicUrl }: { organizationId: string; publicUrl: string },
  { send: { text = '', content, from }, sender }: Writing,
): Promise<MessageContent> {
  const { channel, headers, name, entityId } = sender
  const rules = getChannel(channel)
  const reply = content
    ? { type: 'media' as const, ...(await readMedia(db, organizationId, { content, channel })) }
    : { type: 'text' as const, text }
  const written = rules.composeReply(reply, { publicUrl })
  if ('problem' in written) throw badField(content ? `content.${written.field}` : 'text', written.problem)
  if (headers.length === 0 && rules.isHeaderOfTemplate) throw conflict(`${name} has no headers yet: add one to send`)
  const header = headers.find((each) => each === from) ?? headers[0] ?? name
  return { ...written, header, isMarketing: false, entityId: entityId ?? undefined }
}

type Media = { content: NonNullable<PublicSend['content']>; channel: Channel }

async function readMedia(db: Db, organizationId: string, { content, channel }: Media) {
  const file = await getFile(db, { organizationId, id: content.fileId })
  const { id, name, purpose, mime_type: mimeType, size_bytes: sizeBytes } = file
  if (purpose !== 'media') throw notFound('File')
  if (file.channel !== channel) throw badField('content.fileId', `This file belongs to another channel`)
  return { file: { id, name, mimeType, sizeBytes }, caption: content.caption }
}
