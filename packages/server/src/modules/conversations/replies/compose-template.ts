import type { Channel } from '@carillon/contract/channels'
import type { LegSender, LegTemplate, LoadedLeg } from '../../../channels/channel.ts'
import { getChannel } from '../../../channels/index.ts'
import { badField, conflict } from '../../../lib/problem.ts'
import type { SingleSend } from '../../messages/index.ts'

type Filled = {
  channel: Channel
  sender: LegSender
  template: LegTemplate
  /** By name or number of the variable. */
  values: Readonly<Record<string, string>>
  /** The input field with the values, for errors. */
  field: string
}

/** What a message says, as input of a single send. */
export type MessageContent = Pick<
  SingleSend,
  'header' | 'text' | 'content' | 'category' | 'isMarketing' | 'entityId' | 'dltTemplateId'
>

/** A template with its values, and the files that it refers to. Throws if the sender cannot send it, or a value is missing. */
export function composeTemplate({ channel, sender, template, values, field }: Filled): {
  message: MessageContent
  fileIds: string[]
} {
  const rules = getChannel(channel)
  const read = rules.replyValues(template, values)
  if ('missing' in read) throw badField(`${field}.${read.missing}`, 'Enter a value')
  const parsed = rules.values.safeParse(read.values)
  if (!parsed.success) throw badField(field, parsed.error.issues[0]?.message ?? 'A value of the template is invalid')
  const leg: LoadedLeg = { sender, template, values: parsed.data }
  const checks = [...rules.checkSender(leg), ...rules.checkTemplate(leg, { countries: [] })]
  const refusal = checks.find(({ level }) => level === 'blocker')
  if (refusal) throw conflict(`${refusal.title}. ${refusal.detail}`)
  const message = rules.writeTest(leg, [])
  if ('problem' in message) throw conflict(message.problem)
  const { category, isMarketing } = rules.prepareLeg(leg)
  return { message: { ...message, category, isMarketing }, fileIds: rules.fileIds(parsed.data) }
}
