import type { EffectiveRate } from '@carillon/contract/balance'
import { channelTraits } from '@carillon/contract/channels/table'
import { countryName } from '../lib/country-split.ts'

/** Channel, category and country: 'Voice marketing, India'. */
export function rateName({
  channel,
  category,
  country,
}: Pick<EffectiveRate, 'channel' | 'category' | 'country'>): string {
  const kind = category === '*' ? '' : ` ${category.replaceAll('_', ' ')}`
  return `${channelTraits[channel].label}${kind}, ${country === '*' ? 'other countries' : countryName(country)}`
}

type Kind = Pick<EffectiveRate, 'channel' | 'category'>

/** Whether a price is of conversations, which are charged besides messages. */
export function isConversationRate({ channel, category }: Kind): boolean {
  return category === channelTraits[channel].conversationCategory
}

/** What a price is for. */
export function rateUnit(rate: Kind): string {
  return isConversationRate(rate) ? 'per person and 24 hours' : `a ${channelTraits[rate.channel].unit}`
}
