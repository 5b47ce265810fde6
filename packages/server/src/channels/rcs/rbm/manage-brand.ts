import type { BotBrand, PartnerBot } from '../../management.ts'
import { rowIn, textIn, type Row } from './manage-api.ts'

/** A bot's brand as Google's agent. */
export function writeAgent(brand: BotBrand): { displayName: string; rcsBusinessMessagingAgent: object } {
  return {
    displayName: brand.name,
    rcsBusinessMessagingAgent: {
      description: brand.description,
      logoUri: brand.logoUrl,
      heroUri: brand.bannerUrl,
      color: brand.color,
      phoneNumbers: brand.phoneNumbers.map(({ number, label }) => ({ phoneNumber: { number }, label })),
      emails: brand.emails.map(({ address, label }) => ({ address, label })),
      websites: brand.websites.map(({ url, label }) => ({ uri: url, label })),
      privacy: { uri: brand.privacyUrl, label: 'Privacy policy' },
      termsConditions: { uri: brand.termsUrl, label: 'Terms of service' },
      agentUseCase: brand.useCase.toUpperCase(),
      billingConfig: { billingCategory: brand.billing.toUpperCase() },
      hostingRegion: brand.hosting.toUpperCase(),
    },
  }
}

const useCases: Record<string, PartnerBot['useCase']> = {
  OTP: 'otp',
  TRANSACTIONAL: 'transactional',
  PROMOTIONAL: 'promotional',
}

/** Agents made before November 2025 have a category for each class of messages. */
const billings: Record<string, PartnerBot['billing']> = {
  CONVERSATIONAL: 'conversational',
  NON_CONVERSATIONAL: 'non_conversational',
  SINGLE_MESSAGE: 'non_conversational',
  BASIC_MESSAGE: 'non_conversational',
}

/** What people see of an agent, and how it is billed. */
export function readAgent(agent: Row): Omit<PartnerBot, 'verification' | 'launches'> {
  const profile = rowIn(agent, 'rcsBusinessMessagingAgent')
  return {
    name: textIn(agent, 'displayName'),
    brandName: textIn(agent, 'brandName'),
    description: textIn(profile, 'description'),
    color: textIn(profile, 'color'),
    logoUrl: textIn(profile, 'logoUri'),
    bannerUrl: textIn(profile, 'heroUri'),
    useCase: useCases[textIn(profile, 'agentUseCase')] ?? 'multi_use',
    billing: billings[textIn(rowIn(profile, 'billingConfig'), 'billingCategory')],
  }
}
