import type { BotDetails, BotReview } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { endRequestsOn } from '../../../egress/egress.ts'
import type { UserActor } from '../../../actor.ts'
import { conflict } from '../../../lib/problem.ts'
import type { ProviderQueryDeps } from '../../../modules/senders/index.ts'
import { findProvider } from '../../index.ts'
import type { BotBrand, BotContact, Partner } from '../../management.ts'
import { rcsPartnerKey } from '../partner.ts'
import { imagePath } from './present-bot.ts'

/** For all requests of a call together. */
const deadlineMs = 110_000

/** The partner account from which a provider's bots are managed; undefined if the provider has no such account. */
export async function findPartner(provider: string, deps: ProviderQueryDeps): Promise<Partner | undefined> {
  const { io } = deps
  const open = findProvider(provider)?.partner
  if (!open) return undefined
  return open(await io.readInstallationSettings(rcsPartnerKey), withDeadline(io))
}

/** The same, for calls that need one. */
export async function getPartner(provider: string, deps: ProviderQueryDeps): Promise<Partner> {
  const partner = await findPartner(provider, deps)
  if (!partner) throw conflict('This provider cannot be managed from here: use its own console')
  return partner
}

export function withDeadline(io: ProviderQueryDeps['io']): ProviderQueryDeps['io'] {
  return { ...io, egress: endRequestsOn(AbortSignal.timeout(deadlineMs), io.egress) }
}

/** What people see of a bot, with public addresses of its images. */
export function brandOf(details: BotDetails, { callbackUrl }: Pick<ProviderQueryDeps, 'callbackUrl'>): BotBrand {
  const { logoId, bannerId, review: _, entityId: __, ...brand } = details
  const urlOf = (id: string) => new URL(imagePath(id), callbackUrl('-')).href
  return { ...brand, logoUrl: urlOf(logoId), bannerUrl: urlOf(bannerId) }
}

/** Who answers the provider's questions. */
export function contactOf(review: BotReview | undefined, actor: UserActor): BotContact {
  if (!review)
    throw conflict('Enter the contact and the description for the review first: edit the bot, then request it again')
  return { ...review, partner: { name: actor.username, email: actor.email } }
}
