import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import {
  WhatsappTemplateContent,
  type TemplateButton,
  type TemplateHeader,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { z } from 'zod'
import type { LegTemplate } from '../channel.ts'
import { isMediaType, type MediaType } from '../body-parts.ts'
import {
  findFileProblem,
  type FreeReply,
  type ReplyFile,
  type ReplyProblem,
  type ReplyValues,
  type WrittenReply,
} from '../replies.ts'
import { messageMedia } from './media-rules.ts'
import type { WhatsappContent } from './message.ts'
import { hasUrlVariable, isAuthentication, variablesOf, type ParameterFormat } from './template-leg.ts'

/** The category of messages other than templates. Meta does not charge for them. */
export const freeCategory = 'service'

const longestText = 4096

/** A business-scoped id begins with the person's country. */
export function countryOf(identity: string): string | undefined {
  return /^([A-Z]{2})\./.exec(identity)?.[1]
}

export function composeWhatsappReply(reply: FreeReply): WrittenReply | ReplyProblem {
  switch (reply.type) {
    case 'text':
      return reply.text.length > longestText
        ? { problem: `A WhatsApp message may have ${longestText} characters at most`, field: 'text' }
        : { text: reply.text, category: freeCategory }
    case 'media':
      return findFileProblem(reply.file, messageMedia) ?? writeMedia(reply.file, reply.caption)
    case 'reaction':
      return {
        text: reply.emoji,
        content: { type: 'reaction', reaction: { message_id: reply.messageId, emoji: reply.emoji } },
        category: freeCategory,
      }
  }
}

function writeMedia({ id, name, mimeType, sizeBytes }: ReplyFile, caption: string): WrittenReply | ReplyProblem {
  const type = typeOf(mimeType)
  if (caption !== '' && (type === 'audio' || type === 'sticker'))
    return { problem: type === 'audio' ? 'Audio has no caption' : 'A sticker has no caption', field: 'caption' }
  const described = { caption, mime_type: mimeType, filename: name, size: sizeBytes }
  return { text: caption, content: { type, [type]: described, fileId: id }, category: freeCategory }
}

function typeOf(mimeType: string): MediaType {
  if (mimeType === 'image/webp') return 'sticker'
  const [kind] = mimeType.split('/')
  return isMediaType(kind) ? kind : 'document'
}

const Media = z.looseObject({ caption: z.string().default(''), filename: z.string().default('') })

/** Media of our files as providers get them: with `fileId` instead of their id. */
export function compileMedia(content: { type: string; [field: string]: unknown }): WhatsappContent | undefined {
  const { type, fileId } = content
  if (!isMediaType(type) || typeof fileId !== 'string') return undefined
  const { caption, filename } = Media.parse(content[type])
  return {
    type,
    [type]: {
      fileId,
      ...(caption === '' ? {} : { caption }),
      ...(type === 'document' && filename !== '' ? { filename } : {}),
    },
  }
}

type Values = Readonly<Record<string, string>>

/**
 * The values of a template: those of the body by name or number, and `header.text`, `header.media` (our file, or a URL; by default the
 * file of its review), `header.latitude`, `header.longitude`, `header.name`, `header.address`, `button.2` for the variable or code of
 * the second button, and `card.1.` before those of the first card.
 */
export function whatsappReplyValues(template: Pick<LegTemplate, 'content' | 'facts'>, values: Values): ReplyValues {
  const content = WhatsappTemplateContent.parse(template.content)
  const format = Format.parse(template.facts ?? {}).parameterFormat
  const missing: string[] = []
  const take = (name: string) => {
    const value = (values[name] ?? '').trim()
    if (value === '') missing.push(name)
    return { fallback: value }
  }
  const body = isAuthentication(content) ? ['1'] : variablesOf(content.body, format)
  const filled = {
    ...headerValues(content.header, { values, take, missing }),
    body: body.map(take),
    ...buttonValues(content.buttons, { take, prefix: '' }),
    cards: content.cards.map((card, index) => cardValues(card, { values, take, missing, format, number: index + 1 })),
  }
  const [first] = missing
  return first === undefined ? { values: filled } : { missing: first }
}

const Format = z.object({ parameterFormat: z.enum(['positional', 'named']) }).catch({ parameterFormat: 'positional' })

type Taking = { values: Values; take(name: string): { fallback: string }; missing: string[] }

function headerValues(header: TemplateHeader | undefined, { values, take, missing }: Taking): object {
  if (!header) return {}
  if (header.format === 'TEXT')
    return listTemplateVariables(header.text).length > 0 ? { header: take('header.text') } : {}
  if (header.format !== 'LOCATION')
    return mediaValue(header, { given: values['header.media'], name: 'header.media', missing })
  const [latitude, longitude] = [take('header.latitude'), take('header.longitude')].map(({ fallback }) =>
    Number(fallback),
  )
  return { location: { latitude, longitude, name: values['header.name'], address: values['header.address'] } }
}

type MediaHeader = Extract<TemplateHeader, { handle: string }>

function mediaValue(
  { fileId }: MediaHeader,
  { given = '', name, missing }: { given: string | undefined; name: string; missing: string[] },
): object {
  const chosen = given.trim() || fileId || ''
  if (chosen === '') missing.push(name)
  return { media: /^https?:/.test(chosen) ? { link: chosen } : { fileId: chosen } }
}

function buttonValues(
  buttons: readonly TemplateButton[],
  { take, prefix }: Pick<Taking, 'take'> & { prefix: string },
): { urls: { fallback: string }[]; copyCode?: { fallback: string } } {
  const urls: { fallback: string }[] = []
  let copyCode: { fallback: string } | undefined
  for (const [index, button] of buttons.entries()) {
    if (hasUrlVariable(button)) urls.push(take(`${prefix}button.${index + 1}`))
    if (button.type === 'COPY_CODE') copyCode = take(`${prefix}button.${index + 1}`)
  }
  return { urls, ...(copyCode && { copyCode }) }
}

function cardValues(
  { header, body, buttons }: WhatsappTemplateContent['cards'][number],
  { values, take, missing, format, number }: Taking & { format: ParameterFormat; number: number },
): object {
  const prefix = `card.${number}.`
  const media =
    'handle' in header ? mediaValue(header, { given: values[`${prefix}media`], name: `${prefix}media`, missing }) : {}
  return {
    ...media,
    body: variablesOf(body, format).map((name) => take(prefix + name)),
    urls: buttonValues(buttons, { take, prefix }).urls,
  }
}
