import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { PartialBotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { ShownBrand } from './bot-page-phone.tsx'

type Contacts = Pick<PartialBotDetails, 'phoneNumbers' | 'emails' | 'websites'>

export function contactsOf({ phoneNumbers = [], emails = [], websites = [] }: Contacts): ShownBrand['contacts'] {
  return [
    ...phoneNumbers.map(({ number, label }) => ({ kind: 'phone' as const, text: number, label })),
    ...emails.map(({ address, label }) => ({ kind: 'mail' as const, text: address, label })),
    ...websites.map(({ url, label }) => ({ kind: 'web' as const, text: url, label })),
  ]
}

export function brandOfBot(bot: RcsBot): ShownBrand {
  return {
    name: bot.name,
    description: bot.details.description ?? '',
    color: bot.color,
    logoUrl: bot.logoUrl,
    bannerUrl: bot.bannerUrl,
    isVerified: bot.verification === 'verified',
    contacts: contactsOf(bot.details),
  }
}
