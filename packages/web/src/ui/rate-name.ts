import type { EffectiveRate } from '@carillon/contract/balance'
import { countryName } from '../lib/country-split.ts'
import { channelLabel } from '../channels/channel-mark.tsx'

/** WhatsApp marketing, India */
export function rateName({
  channel,
  category,
  country,
}: Pick<EffectiveRate, 'channel' | 'category' | 'country'>): string {
  const kind = category === '*' ? '' : ` ${category.replaceAll('_', ' ')}`
  return `${channelLabel(channel)}${kind}, ${country === '*' ? 'other countries' : countryName(country)}`
}
