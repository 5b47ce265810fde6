import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { listRcsVariables } from '@carillon/contract/channels/rcs/rcs-variables'
import type { LegTemplate } from '../channel.ts'
import {
  findFileProblem,
  findMissing,
  sourcesOf,
  type FreeReply,
  type ReplyProblem,
  type ReplyValues,
  type WrittenReply,
} from '../replies.ts'
import { classOf } from './content-limits.ts'
import { cardMedia } from './media-rules.ts'
import { mediaUrlOf } from './media-url.ts'
import type { RcsContentJson } from './message.ts'

export function composeRcsReply(reply: FreeReply, { publicUrl }: { publicUrl: string }): WrittenReply | ReplyProblem {
  switch (reply.type) {
    case 'text':
      return reply.text.length > rcsLimits.text
        ? { problem: `An RCS message may have ${rcsLimits.text} characters at most`, field: 'text' }
        : { text: reply.text, category: classOf({ text: reply.text }) }
    case 'media':
      return findFileProblem(reply.file, cardMedia) ?? writeCard(reply, publicUrl)
    case 'reaction':
      return { problem: 'RCS has no reactions', field: 'type' }
  }
}

/** A card, because a file alone has no caption. */
function writeCard({ file, caption }: Extract<FreeReply, { type: 'media' }>, publicUrl: string): WrittenReply {
  const { id, name, mimeType, sizeBytes } = file
  const media = { height: 'MEDIUM', contentInfo: { fileUrl: mediaUrlOf(publicUrl, id) } }
  const message: RcsContentJson = {
    richCard: {
      standaloneCard: {
        cardOrientation: 'VERTICAL',
        cardContent: { ...(caption === '' ? {} : { description: caption }), media },
      },
    },
  }
  const [kind] = mimeType.split('/')
  const type = kind === 'image' || kind === 'video' ? kind : 'document'
  return {
    text: caption,
    content: { type, [type]: { caption, mime_type: mimeType, filename: name, size: sizeBytes }, fileId: id, message },
    category: classOf(message),
  }
}

export function rcsReplyValues(
  { content }: Pick<LegTemplate, 'content'>,
  values: Readonly<Record<string, string>>,
): ReplyValues {
  const names = listRcsVariables(RcsTemplateContent.parse(content))
  const missing = findMissing(names, values)
  return missing === undefined ? { values: { variables: sourcesOf(names, values) } } : { missing }
}
