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
