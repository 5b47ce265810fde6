import { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { summarizeWhatsapp } from '@carillon/contract/channels/whatsapp/whatsapp-message-traits'
import { WhatsappCategory, WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { whatsappTraits } from '@carillon/contract/channels/whatsapp/whatsapp-traits'
import { z } from 'zod'
import type { LoadedLeg, Rendered, ServerChannel, TestMessage } from '../channel.ts'
import { compileComponents } from './compile-template.ts'
import { legBody } from './leg-body.ts'
import type { WhatsappContent, WhatsappMessage } from './message.ts'
import { readWhatsappBody } from './read-body.ts'
import { TemplateLeg, withConstants } from './template-leg.ts'
import { fillValues, textOf } from './text-of.ts'
import { whatsappAccounts, whatsappLines } from './account-rules.ts'
import { whatsappAdvice, whatsappPauseTexts } from './whatsapp-advice.ts'
import { checkNumber, checkWhatsappMessages, checkWhatsappTemplate } from './whatsapp-checks.ts'
import { mapWhatsappSources } from './whatsapp-sources.ts'
import { fileIds, prepareWhatsapp, repeatsOf } from './whatsapp-legs.ts'
import { compileMedia, composeWhatsappReply, countryOf, freeCategory, whatsappReplyValues } from './whatsapp-reply.ts'
import { whatsappReview } from './review-rules.ts'

const freeTypes = [
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'reaction',
] as const

/** A single send is a template with its values, content in the channel's format, or plain text. */
const SingleDetails = z.object({
  leg: TemplateLeg.nullish(),
  content: z
    .discriminatedUnion('type', [
      z.object({
        type: z.literal('template'),
        template: z.object({
          name: z.string(),
          language: z.object({ code: z.string() }),
          components: z.array(z.unknown()).default([]),
        }),
      }),
      z.object({
        type: z.literal('text'),
        text: z.object({ body: z.string().min(1).max(4096), preview_url: z.boolean().default(false) }),
      }),
      z.looseObject({ type: z.enum(freeTypes) }),
    ])
    .nullish(),
  inReplyTo: z.string().nullish(),
})

export const whatsappChannel: ServerChannel = {
  label: whatsappTraits.label,
  isOnByDefault: false,
  accounts: whatsappAccounts,
  lines: whatsappLines,
  review: whatsappReview,
  senderName: 'number',
  senderHeading: 'WhatsApp number',
  isHeaderOfTemplate: false,
  chooseSender: 'Choose a number first',
  values: TemplateValues.prefault({}),
  acceptsTtl: false,
  checksReach: false,
  hasDailyLimit: true,
  fileIds,
  mapSources: mapWhatsappSources,
  prepareLeg: prepareWhatsapp,
  summarize: ({ content, category }) =>
    summarizeWhatsapp(WhatsappTemplateContent.parse(content), WhatsappCategory.parse(category)),
  readLeg(content, { cells }) {
    const leg = TemplateLeg.parse(content)
    const text = textOf(leg.template.content, fillValues(leg, cells))
    return { text, pieces: [{ text }] }
  },
  readBody: readWhatsappBody,
  readLegBody: (content, { cells }) => legBody(TemplateLeg.parse(content), cells),
  listVariables: () => [],
  countParts: () => ({ parts: 1 }),
  measureLeg(content) {
    const fill = compileTemplate(TemplateLeg.parse(content))
    return (cells) => (fill(cells) ? { parts: 1, length: 0, isUnicode: false, problem: undefined } : undefined)
  },
  checkSender: checkNumber,
  checkTemplate: checkWhatsappTemplate,
  checkMessages: checkWhatsappMessages,
  repeats: repeatsOf,
  waitingReason: 'WhatsApp limits how many marketing messages a person gets',
  advice: whatsappAdvice,
  permanentFailures: ['number_unreachable'],
  pauseTexts: whatsappPauseTexts,
  writeTest,
  compileLeg(content) {
    const leg = TemplateLeg.parse(content)
    const fill = compileTemplate(leg)
    return (cells) => {
      const template = fill(cells)
      return template && write(template)
    }
  },
  compileSingle({ text, details }) {
    const { leg, content, inReplyTo } = SingleDetails.parse(details)
    const written = leg
      ? compileTemplate(leg)([])
      : ((content && compileMedia(content)) ??
        content ??
        ({ type: 'text', text: { body: text, preview_url: true } } as const))
    if (!written) throw new Error(`A value is missing for the template ${leg?.template.name ?? ''}`)
    // A reaction names its message itself.
    return write(written, written.type === 'reaction' ? undefined : (inReplyTo ?? undefined))
  },
  composeReply: composeWhatsappReply,
  replyValues: whatsappReplyValues,
  freeCategory,
  countryOf,
}

function writeTest(loaded: LoadedLeg, cells: readonly string[]): TestMessage | { problem: string } {
  const leg = TemplateLeg.parse(prepareWhatsapp(loaded).content)
  const content = compileTemplate(leg)(cells)
  if (!content) return { problem: 'This row has no value for one of the variables' }
  const { headers, name } = loaded.sender
  const text = textOf(leg.template.content, fillValues(leg, cells))
  return { header: headers[0] ?? name, text, content: { ...content, leg: withConstants(leg, cells) } }
}

function compileTemplate(leg: TemplateLeg): (cells: readonly string[]) => WhatsappContent | undefined {
  const { name, language } = leg.template
  const fill = compileComponents(leg)
  return (cells) => {
    const components = fill(cells)
    return components && { type: 'template', template: { name, language: { code: language }, components } }
  }
}

/** Each message counts as one part, whatever its length. */
function write(content: WhatsappContent, inReplyTo?: string): Rendered {
  const written: Pick<WhatsappMessage, 'parts' | 'content' | 'inReplyTo'> = {
    parts: 1,
    content,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
  }
  return written
}
