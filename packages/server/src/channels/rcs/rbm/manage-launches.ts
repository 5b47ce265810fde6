import type { BotContact, BotLaunchFacts, PartnerBot } from '../../management.ts'
import { rowIn, textIn, type Row } from './manage-api.ts'

const verifications: Record<string, PartnerBot['verification']> = {
  VERIFICATION_STATE_PENDING: 'pending',
  VERIFICATION_STATE_VERIFIED: 'verified',
  VERIFICATION_STATE_REJECTED: 'rejected',
}

export function readVerification(row: Row): PartnerBot['verification'] {
  return verifications[textIn(row, 'verificationState')] ?? 'unverified'
}

const launchStates: Record<string, BotLaunchFacts['state']> = {
  PENDING: 'pending',
  LAUNCHED: 'launched',
  REJECTED: 'rejected',
  SUSPENDED: 'suspended',
  UNLAUNCHED: 'terminated',
}

/** The launches of an agent by operator. A region without a known state has not been requested. */
export function readLaunches(row: Row): BotLaunchFacts[] {
  const details = rowIn(rowIn(row, 'rcsBusinessMessaging'), 'launchDetails')
  return Object.keys(details).flatMap((region) => {
    const launch = rowIn(details, region)
    const state = launchStates[textIn(launch, 'launchState').replace(/^LAUNCH_STATE_/, '')]
    if (!state) return []
    return [{ ...placeOf(region), state, at: textIn(launch, 'updateTime') || null, note: textIn(launch, 'comment') }]
  })
}

/** Country and operator of a region such as `/v1/regions/in-airtel`. */
export function placeOf(name: string): Pick<BotLaunchFacts, 'country' | 'carrier'> {
  const region = regionIdOf(name)
  const [, country, carrier] = /^([a-z]{2})(?:-(.+))?$/.exec(region) ?? []
  return { country: (country ?? '').toUpperCase(), carrier: carrierNames[region] ?? titleOf(carrier ?? region) }
}

export function regionIdOf(name: string): string {
  return name.replace(/^\/?(?:v1\/)?regions\//, '')
}

const carrierNames: Record<string, string> = {
  'in-airtel': 'Airtel',
  'in-jio': 'Jio',
  'in-vi': 'Vi',
  'in-bsnl': 'BSNL',
  'rest-of-world': 'Rest of the world',
}

/** `verizon-wireless` becomes `Verizon Wireless`; two letters are a country. */
function titleOf(words: string): string {
  if (/^[a-z]{2}$/.test(words)) return words.toUpperCase()
  return words.replaceAll('-', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

export function writeVerification({ contactName, contactEmail, website, partner }: BotContact) {
  return {
    agentVerificationContact: {
      partnerName: partner.name,
      partnerEmailAddress: partner.email,
      brandContactName: contactName,
      brandContactEmailAddress: contactEmail,
      brandWebsiteUrl: website,
    },
  }
}

/** A request names the regions of earlier launches as well. */
export function writeLaunch(contact: BotContact, regions: readonly string[]) {
  return {
    agentLaunch: {
      rcsBusinessMessaging: {
        questionnaire: {
          contacts: [{ name: contact.contactName, title: contact.contactTitle, email: contact.contactEmail }],
          optinDescription: contact.optIn,
          triggerDescription: contact.trigger,
          interactionsDescription: contact.interactions,
          optoutDescription: contact.optOut,
          agentAccessInstructions: `Invite a test phone from the console; ${contact.contactName} (${contact.contactEmail}) answers questions.`,
        },
        launchDetails: Object.fromEntries(regions.map((region) => [region, {}])),
      },
    },
  }
}
