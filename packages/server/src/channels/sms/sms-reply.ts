import type { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'
import type { LegTemplate } from '../channel.ts'
import {
  findMissing,
  sourcesOf,
  type FreeReply,
  type ReplyProblem,
  type ReplyValues,
  type WrittenReply,
} from '../replies.ts'
import { SmsContent } from './template-content.ts'

/** Ten parts of the longest encoding. */
const longestText = 1600

export function composeSmsReply(reply: FreeReply): WrittenReply | ReplyProblem {
  if (reply.type !== 'text') return { problem: 'SMS carries text only', field: 'type' }
  if (reply.text.length > longestText)
    return { problem: `An SMS may have ${longestText} characters at most`, field: 'text' }
  return { text: reply.text, category: 'service_implicit' }
}

/** TRAI's categories. People who opted out of promotions get none of these two. */
export const smsTextCategories: Readonly<Record<SmsCategory, { isMarketing: boolean }>> = {
  promotional: { isMarketing: true },
  service_explicit: { isMarketing: true },
  service_implicit: { isMarketing: false },
  transactional: { isMarketing: false },
  government: { isMarketing: false },
}

/** By the names that the template gives its variables. */
export function smsReplyValues(
  { content }: Pick<LegTemplate, 'content'>,
  values: Readonly<Record<string, string>>,
): ReplyValues {
  const names = SmsContent.parse(content).variables.map(({ name }) => name)
  const missing = findMissing(names, values)
  return missing === undefined ? { values: { variables: sourcesOf(names, values) } } : { missing }
}
