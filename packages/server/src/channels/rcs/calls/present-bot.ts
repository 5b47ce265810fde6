import type { AdminBot } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import { PartialBotDetails, type BotDetailsChange } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { BotTester, type BotChoice, type RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { z } from 'zod'
import { presentState } from '../../../modules/senders/index.ts'
import { findProvider } from '../../index.ts'
import { readBotFacts } from '../bot-facts.ts'
import { isCreated, type BotRow, type CreatedBot } from './bots-read.ts'

type CallbackUrl = (key: string) => string

/** Public path of a logo or banner. */
export function imagePath(id: string): string {
  return `/api/v1/bot-assets/${id}`
}

export const readDetails = (details: unknown) => PartialBotDetails.catch({}).parse(details)

/** Stored details with a change of some: those that are empty in it are removed. */
export function mergeDetails(stored: unknown, change: BotDetailsChange = {}): PartialBotDetails {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const merged = Object.entries({ ...readDetails(stored), ...Object.fromEntries(given) })
  return readDetails(Object.fromEntries(merged.filter(([, value]) => value !== null && value !== '')))
}

export const readTesters = (testers: unknown) => z.array(BotTester).catch([]).parse(testers)

const Failure = z.object({ detail: z.string() })
const Webhook = z.object({ steps: z.object({ webhook: z.object({ state: z.string(), at: z.string() }) }) })

export function presentBot(row: BotRow, callbackUrl: CallbackUrl): RcsBot {
  const details = readDetails(row.details)
  return {
    ...presentLook(row),
    botId: row.bot_id,
    provider: row.provider,
    organizationName: row.organization_name,
    state: row.state,
    reason: row.reason,
    requestedBy: row.requester,
    bannerUrl: details.bannerId ? imagePath(details.bannerId) : null,
    details,
    testers: readTesters(row.testers),
    ...presentConnection(isCreated(row) ? row : undefined, callbackUrl),
    failure: Failure.safeParse(row.failure).data?.detail ?? null,
    createdAt: row.created_at.toISOString(),
    checkedAt: row.checked_at?.toISOString() ?? null,
  }
}

export function presentAdminBot(row: BotRow, callbackUrl: CallbackUrl): AdminBot {
  const { config, secret_names: secretsSet, rate_per_second: ratePerSecond } = row
  return {
    ...presentBot(row, callbackUrl),
    settings: ratePerSecond === null ? null : { config: config ?? {}, secretsSet: secretsSet ?? [], ratePerSecond },
  }
}

function presentConnection(created: CreatedBot | undefined, callbackUrl: CallbackUrl) {
  if (!created) return { providerLabel: null, lane: null, webhook: null, isManaged: false }
  const provider = findProvider(created.provider)
  return {
    providerLabel: provider?.label ?? created.provider,
    lane: presentState({ ...created, is_active: created.is_active ?? false, state: created.lane }),
    webhook: presentWebhook(created, callbackUrl),
    isManaged: provider?.partner !== undefined,
  }
}

export function presentChoice(row: CreatedBot): BotChoice {
  return { ...presentLook(row), botId: row.bot_id, provider: row.provider }
}

function presentLook(row: BotRow) {
  const { name, brandName, color, logoId } = readDetails(row.details)
  const { verification, launches, useCase } = readBotFacts(row.facts)
  return {
    _id: row.id,
    organizationId: row.organization_id,
    name: row.name ?? name ?? '',
    brandName: brandName ?? row.name ?? '',
    color: color ?? '',
    logoUrl: logoId ? imagePath(logoId) : null,
    isActive: row.is_active ?? false,
    verification,
    launches,
    useCase: row.bot_id === null ? (readDetails(row.details).useCase ?? useCase) : useCase,
  }
}

function presentWebhook({ setup, callback_key }: CreatedBot, callbackUrl: CallbackUrl) {
  const webhook = Webhook.safeParse(setup).data?.steps.webhook
  const isVerified = webhook?.state === 'passed'
  return {
    isVerified,
    verifiedAt: isVerified ? webhook.at : null,
    callbackUrl: callbackAddress(callbackUrl, callback_key),
  }
}

/** The bot's callback URL for its provider. */
export function callbackAddress(callbackUrl: CallbackUrl, key: string): string {
  return `${callbackUrl(key)}/events`
}
