import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { maximumRecipientsPerRequest, type KeyConfigPayload } from '@carillon/contract/key-config-records'
import { countryName } from '../../lib/country-name.ts'
import { defined } from '../../lib/defined.ts'
import { createPhoneReader } from '../../lib/phone.ts'
import { badField, Problem } from '../../lib/problem.ts'
import { explainReject } from '../audience/index.ts'

/** What a config decides about a message, as a request names it. */
export type ConfiguredSend = {
  channel?: Channel
  /** The recipient's number as written; absent if the channel identifies people otherwise. */
  to?: string
  senderId?: string
  templateId?: string
  /** Whether it has a text or other content of its own, instead of a template. */
  hasContent: boolean
  category?: string
  language?: string
  ttlSeconds?: number
  /** DLT ids. */
  entityId?: string
  dltTemplateId?: string
}

/** With a channel, and a number in E.164. */
export type AllowedSend<Send extends ConfiguredSend> = Send & { channel: Channel; country?: string }

/**
 * Fills in the defaults of an API key's config, and checks the message against its rules; without a config, only the channel and
 * the number. What the request leaves open and the config does not decide, such as the sender, is checked with `findRestriction`
 * once it is known.
 */
export function applyConfig<Send extends ConfiguredSend>(
  config: KeyConfigPayload | undefined,
  send: Send,
): AllowedSend<Send> | Problem {
  const channel = send.channel ?? config?.channels.default
  if (!channel) return badField('channel', 'Choose a channel: the API key has no default channel')
  const number = readNumber(send.to, config?.defaults.country)
  if (number instanceof Problem) return number
  const defaults = config ? defaultsFor(config, channel, send) : {}
  const filled = { ...defaults, ...send, ...number, channel }
  return findRestriction(config, filled) ?? filled
}

type ReadNumber = { to?: string; country?: string }

function readNumber(to: string | undefined, defaultCountry = ''): ReadNumber | Problem {
  if (to === undefined) return {}
  const reading = createPhoneReader(defaultCountry)(to)
  if ('problem' in reading) return badField('to', explainReject(reading.problem, 'messages'))
  return { to: `+${reading.phone}`, country: reading.country }
}

/** Most defaults are those of one channel: a sender or a template of another channel would not fit. */
function defaultsFor({ channels, defaults }: KeyConfigPayload, channel: Channel, { hasContent }: ConfiguredSend) {
  const { ttlSeconds, senderId, templateId, category, language, dlt } = defaults
  if (channel !== channels.default) return defined({ ttlSeconds })
  const template = hasContent ? {} : { templateId }
  const { entityId, templateId: dltTemplateId } = dlt
  return defined({ ttlSeconds, senderId, category, language, entityId, dltTemplateId, ...template })
}

/** What is known of a message. */
export type MessageFacts = {
  channel?: Channel
  senderId?: string
  templateId?: string
  hasContent?: boolean
  /** E.164. */
  to?: string
  country?: string
  /** Parts of the text as it will be sent. */
  parts?: number
}

/** The first rule of the config that the message breaks. Facts that are not known are not checked. */
export function findRestriction(config: KeyConfigPayload | undefined, facts: MessageFacts): Problem | undefined {
  if (!config) return undefined
  for (const rule of rules) {
    const broken = rule(config, facts)
    if (broken) return restricted(broken)
  }
  return undefined
}

type Broken = { field: string; message: string }
type Rule = (config: KeyConfigPayload, facts: MessageFacts) => Broken | undefined

const rules: readonly Rule[] = [
  ({ channels }, { channel }) =>
    channel && isOutside(channels.allowed, channel)
      ? { field: 'channel', message: `This API key may not send ${channelTraits[channel].label} messages` }
      : undefined,
  ({ channels }, { senderId }) =>
    senderId && isOutside(channels.senderIds, senderId)
      ? { field: 'from', message: 'This API key may not send from this sender' }
      : undefined,
  ({ filters }, { hasContent }) =>
    filters.templatesOnly && hasContent
      ? { field: 'template', message: 'This API key may send templates only' }
      : undefined,
  ({ filters }, { templateId }) =>
    templateId && isOutside(filters.allowedTemplateIds, templateId)
      ? { field: 'template', message: 'This API key may not send this template' }
      : undefined,
  ({ filters }, { country }) =>
    country !== undefined && isOutside(filters.allowedCountries, country)
      ? { field: 'to', message: `This API key may not send to ${countryName(country)}` }
      : undefined,
  ({ filters }, { to = '' }) =>
    filters.blockedPrefixes.some((prefix) => to.startsWith(`+${prefix}`))
      ? { field: 'to', message: 'This API key may not send to numbers that begin like this one' }
      : undefined,
  ({ filters: { maxSegments } }, { parts }) =>
    maxSegments !== undefined && parts !== undefined && parts > maxSegments
      ? { field: 'text', message: `The message has ${parts} parts, and this API key may send at most ${maxSegments}` }
      : undefined,
]

/** An empty list has everything. */
function isOutside<Value>(list: readonly Value[], value: Value): boolean {
  return list.length > 0 && !list.includes(value)
}

function restricted(broken: Broken): Problem {
  return new Problem('key_restricted', broken.message, { details: [broken] })
}

/** The problem of a request with so many recipients. */
export function findTooManyRecipients(config: KeyConfigPayload | undefined, count: number): Problem | undefined {
  const most = config?.rate.recipientsPerRequest ?? maximumRecipientsPerRequest
  return count > most
    ? restricted({ field: 'to', message: `A request may have at most ${most} recipients` })
    : undefined
}
