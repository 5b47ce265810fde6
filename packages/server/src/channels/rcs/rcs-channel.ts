import { RcsValues } from '@carillon/contract/channels/rcs/rcs-campaigns'
import { summarizeRcs } from '@carillon/contract/channels/rcs/rcs-message-traits'
import { RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { rcsTraits } from '@carillon/contract/channels/rcs/rcs-traits'
import { z } from 'zod'
import type { QueuedSingle, Rendered, ServerChannel } from '../channel.ts'
import { classOf } from './content-limits.ts'
import type { RcsContentJson } from './message.ts'
import { rcsAdvice, rcsPauseTexts } from './rcs-advice.ts'
import { rcsLines } from './line-rules.ts'
import { checkBot, checkRcsMessages, checkRcsTemplate } from './rcs-checks.ts'
import { compileRcs, mapRcsSources, measureRcs, prepareRcs, writeRcsTest, type RenderedRcs } from './rcs-legs.ts'
import { composeRcsReply, rcsReplyValues } from './rcs-reply.ts'
import { rcsReview } from './review-rules.ts'
import { readRcsBody, templateBody } from './read-body.ts'
import { readValues, RcsLeg } from './template-leg.ts'
import { readPieces, templateText } from './text-of.ts'

/** A single send is a message in the operators' format, or plain text in reply to a person. */
const SingleDetails = z.object({
  content: z
    .object({
      message: z.custom<RcsContentJson>((value) => 'text' in Object(value) || 'richCard' in Object(value)),
      traffic: z.enum(['PROMOTION', 'TRANSACTION', 'AUTHENTICATION', 'SERVICEREQUEST']).default('SERVICEREQUEST'),
      template: z.object({ name: z.string(), params: z.record(z.string(), z.string()) }).nullish(),
    })
    .nullish(),
})

export const rcsChannel: ServerChannel = {
  label: rcsTraits.label,
  isOnByDefault: false,
  accounts: {
    name: 'RCS bot',
    audited: { account: 'rcs_bot', sender: 'rcs_bot' },
    limit: 'rcs_bots',
  },
  lines: rcsLines,
  review: rcsReview,
  senderName: 'bot',
  senderHeading: 'RCS bot',
  isHeaderOfTemplate: false,
  chooseSender: 'Choose a bot first',
  values: RcsValues.prefault({}),
  acceptsTtl: true,
  checksReach: true,
  hasDailyLimit: false,
  fileIds: () => [],
  mapSources: mapRcsSources,
  prepareLeg: prepareRcs,
  readLeg(content, row) {
    const leg = RcsLeg.parse(content)
    const pieces = readPieces(leg, row)
    return { text: pieces.map(({ text, variable, missing }) => (missing ? `{{${variable}}}` : text)).join(''), pieces }
  },
  readBody: readRcsBody,
  readLegBody(content, { cells }) {
    const leg = RcsLeg.parse(content)
    return templateBody(leg.template.content, readValues(leg, cells))
  },
  textOfLeg: (content) => templateText(RcsLeg.parse(content).template.content),
  listVariables: () => [],
  summarize: ({ content }) => summarizeRcs(RcsTemplateContent.parse(content)),
  countParts: () => ({ parts: 1 }),
  measureLeg: measureRcs,
  checkSender: checkBot,
  checkTemplate: checkRcsTemplate,
  checkMessages: checkRcsMessages,
  repeats: () => [],
  waitingReason: undefined,
  advice: rcsAdvice,
  permanentFailures: ['number_unreachable'],
  pauseTexts: rcsPauseTexts,
  writeTest: writeRcsTest,
  compileLeg: compileRcs,
  compileSingle,
  composeReply: composeRcsReply,
  replyValues: rcsReplyValues,
}

function compileSingle({ text, details }: QueuedSingle): Rendered {
  const { content } = SingleDetails.parse(details)
  const message: RcsContentJson = content?.message ?? { text }
  const rendered: RenderedRcs = {
    parts: 1,
    content: message,
    traffic: content?.traffic ?? 'SERVICEREQUEST',
    priceClass: classOf(message),
    template: content?.template ?? undefined,
  }
  return rendered
}
