import type { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { countOf, formatCount, formatMoneyInProse } from '../../lib/format.ts'
import type { Fact } from '../../ui/facts.tsx'

/** The rates and spending limits in short: '20 calls/s · 50,000 messages/day · ₹2,500/day'. */
export function limitsText({ rate, spend }: KeyConfigPayload): string {
  const per = (value: number | undefined, text: (value: number) => string) => (value === undefined ? [] : [text(value)])
  return [
    ...per(rate.requestsPerSecond, (value) => `${countOf(value, 'call')}/s`),
    ...per(rate.messagesPerSecond, (value) => `${countOf(value, 'message')}/s`),
    ...per(rate.messagesPerDay, (value) => `${countOf(value, 'message')}/day`),
    ...per(spend.maxPerMessage, (value) => `${formatMoneyInProse(value)}/message`),
    ...per(spend.maxPerHour, (value) => `${formatMoneyInProse(value)}/hour`),
    ...per(spend.maxPerDay, (value) => `${formatMoneyInProse(value)}/day`),
    ...per(spend.maxPerMonth, (value) => `${formatMoneyInProse(value)}/month`),
  ].join(' · ')
}

/** What the config sets, one line each. */
export function rulesOf(payload: KeyConfigPayload): Fact[] {
  const { channels, filters, rate, spend, privacy } = payload
  const limit = (label: string, value: number | undefined, text = formatCount): Fact[] =>
    value === undefined ? [] : [[label, text(value)]]
  const list = (label: string, values: readonly string[]): Fact[] =>
    values.length === 0 ? [] : [[label, values.join(', ')]]
  const count = (label: string, values: readonly string[], noun: string): Fact[] =>
    values.length === 0 ? [] : [[label, countOf(values.length, noun)]]
  return [
    ['Channels', channels.allowed.length === 0 ? 'Every channel' : channels.allowed.map(channelLabel).join(', ')],
    ...(channels.default ? [['Default channel', channelLabel(channels.default)] as const] : []),
    ...count('Allowed senders', channels.senderIds, 'sender'),
    ...count('Allowed addresses', filters.ipAllowlist, 'network'),
    ...list('Allowed countries', filters.allowedCountries),
    ...list('Blocked prefixes', filters.blockedPrefixes),
    ...count('Allowed templates', filters.allowedTemplateIds, 'template'),
    ...(filters.templatesOnly ? [['Only templates', 'Yes'] as const] : []),
    ...limit('Most parts of a message', filters.maxSegments),
    ...limit('Calls per second', rate.requestsPerSecond),
    ...limit('Calls at once', rate.burst),
    ...limit('Messages per second', rate.messagesPerSecond),
    ...limit('Messages per day', rate.messagesPerDay),
    ...limit('Recipients per request', rate.recipientsPerRequest),
    ...limit('Spending for a message', spend.maxPerMessage, formatMoneyInProse),
    ...limit('Spending in an hour', spend.maxPerHour, formatMoneyInProse),
    ...limit('Spending in a day', spend.maxPerDay, formatMoneyInProse),
    ...limit('Spending in a month', spend.maxPerMonth, formatMoneyInProse),
    ...(spend.onLimit === 'alert' ? [['Above a spending limit', 'Sent, and you are notified'] as const] : []),
    ['Bodies in the request log', bodyTexts[privacy.storeBody]],
    ...(privacy.storeBody !== 'none' && !privacy.maskNumbers
      ? [['Numbers in the request log', 'Stored in full'] as const]
      : []),
  ]
}

const bodyTexts: Record<KeyConfigPayload['privacy']['storeBody'], string> = {
  masked: 'Texts and values masked',
  full: 'Stored in full',
  none: 'Not stored',
}
