import { VariableSource } from '@carillon/contract/campaign-records'
import { summarizeSms } from '@carillon/contract/channels/sms/sms-message-traits'
import { countPartsFast } from '@carillon/contract/channels/sms/sms-parts'
import { smsTraits } from '@carillon/contract/channels/sms/sms-traits'
import { compileSmsTemplate, listVariableKinds } from '@carillon/contract/channels/sms/sms-variables'
import { valueOf } from '@carillon/contract/variable-values'
import { z } from 'zod'
import { textIn } from '../body-parts.ts'
import type { ReadMessage, Rendered, RowValues, ServerChannel } from '../channel.ts'
import { fillPieces } from './fill-pieces.ts'
import type { SmsMessage } from './message.ts'
import { smsAdvice } from './sms-advice.ts'
import { checkSmsMessages, checkSmsSender, checkSmsTemplate } from './sms-checks.ts'
import { mapSmsSources, measureSms, prepareSms, SmsValues, writeSmsTest } from './sms-legs.ts'
import { composeSmsReply, smsReplyValues, smsTextCategories } from './sms-reply.ts'
import { SmsContent } from './template-content.ts'

/** The frozen content of a leg. */
const LegContent = z.object({
  header: z.string(),
  body: z.string(),
  variables: z.array(VariableSource).default([]),
  names: z.array(z.string()).default([]),
  entityId: z.string().nullish(),
  dltTemplateId: z.string().nullish(),
})

const SingleDetails = z.object({ entityId: z.string().nullish(), dltTemplateId: z.string().nullish() })

type Written = Pick<SmsMessage, 'from' | 'text' | 'parts' | 'encoding' | 'entityId' | 'dltTemplateId'>

export const smsChannel: ServerChannel = {
  label: smsTraits.label,
  isOnByDefault: true,
  accounts: {
    name: 'SMS account',
    audited: { account: 'sms_account', sender: 'sms_account' },
    limit: 'sms_accounts',
  },
  senderName: 'SMS account',
  senderHeading: 'SMS account',
  isHeaderOfTemplate: true,
  chooseSender: 'Choose an SMS account first',
  values: SmsValues,
  acceptsTtl: true,
  checksReach: false,
  hasDailyLimit: false,
  fileIds: () => [],
  mapSources: mapSmsSources,
  prepareLeg: prepareSms,
  summarize: ({ content }) => summarizeSms(SmsContent.parse(content)),
  readLeg,
  readBody: ({ text }) => ({ type: 'text', text: textIn(text) }),
  readLegBody: (content, row) => ({ type: 'text', text: textIn(readLeg(content, row).text) }),
  listVariables: (body) => listVariableKinds(body).map((kind, index) => `${kind}${index + 1}`),
  countParts: countPartsFast,
  measureLeg: measureSms,
  checkSender: checkSmsSender,
  checkTemplate: checkSmsTemplate,
  checkMessages: checkSmsMessages,
  repeats: () => [],
  waitingReason: undefined,
  advice: smsAdvice,
  permanentFailures: [],
  pauseTexts: {},
  writeTest: writeSmsTest,
  compileLeg(content) {
    const { header, body, variables, entityId, dltTemplateId } = LegContent.parse(content)
    const registered = { entityId, dltTemplateId }
    const fill = compileText(body, variables)
    return (cells) => {
      const text = fill(cells)
      return text === undefined ? undefined : write(header, text, registered)
    }
  },
  composeReply: composeSmsReply,
  textCategories: smsTextCategories,
  replyValues: smsReplyValues,
  compileSingle: ({ header, text, details }) => write(header, text, SingleDetails.parse(details)),
}

function readLeg(content: unknown, { cells, columns }: RowValues): ReadMessage {
  const { body, names, variables: sources } = LegContent.parse(content)
  const pieces = fillPieces({ body, names, sources, columns }, cells)
  return { text: pieces.some(({ missing }) => missing) ? body : pieces.map(({ text }) => text).join(''), pieces }
}

function write(from: string, text: string, { entityId, dltTemplateId }: z.infer<typeof SingleDetails>): Rendered {
  const { parts, encoding } = countPartsFast(text)
  const written: Written = {
    from,
    text,
    parts,
    encoding,
    entityId: entityId ?? undefined,
    dltTemplateId: dltTemplateId ?? undefined,
  }
  return written
}

/** Fills the template with a row's values, each from its column, truncated or replaced as the campaign defines. */
export function compileText(
  body: string,
  sources: readonly VariableSource[],
): (cells: readonly string[]) => string | undefined {
  const fill = compileSmsTemplate(body)
  const count = listVariableKinds(body).length
  if (count === 0) return () => fill([])
  return (cells) => {
    const values: string[] = []
    for (let index = 0; index < count; index += 1) {
      const value = valueOf(sources[index], cells)
      if (value === '') return undefined
      values.push(value)
    }
    return fill(values)
  }
}
