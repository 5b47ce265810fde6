import { BotDetails, type PartialBotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { rcsBotAdminEndpoints } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import { sql } from 'kysely'
import type { Input } from '@carillon/contract/endpoint'
import type { UserActor } from '../../../actor.ts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { newId, newToken } from '../../../lib/ids.ts'
import { issueMessage } from '../../../lib/issue-message.ts'
import { badField, conflict, notFound, Problem } from '../../../lib/problem.ts'
import { getAccount } from '../../../modules/accounts/index.ts'
import { notify } from '../../../modules/notifications/index.ts'
import {
  createSender,
  listProviderForms,
  withProviderErrors,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import { Refusal, type PartnerBot } from '../../management.ts'
import { factsOfBot } from '../bot-line.ts'
import { saveBilling } from './bot-billing.ts'
import { brandOf, findPartner } from './bot-partner.ts'
import { getBot } from './bots-read.ts'
import { assertImages } from './bots-requests.ts'
import { saveCreated } from './bots-store.ts'
import { readDetails } from './present-bot.ts'

const channel = 'rcs'
const defaultRate = 10

type NewBot = Input<(typeof rcsBotAdminEndpoints)['bots.create']>['body']
type Creation = { actor: UserActor; scoped: RunTransaction; input: NewBot }

/** A bot of an organisation, from a request or from scratch: at the provider first, then here. Returns its id. */
export async function createBot({ actor, scoped, input }: Creation, deps: ProviderQueryDeps): Promise<string> {
  if (!listProviderForms(channel).some(({ name }) => name === input.provider))
    throw badField('provider', 'There is no such provider')
  const target = await scoped((db) => findTarget(db, actor, input))
  const found = await withProviderErrors(() => askProvider(input, target, deps))
  await scoped((db) => storeBot(db, { actor, input, target, found }, deps))
  return target.id
}

type Target = { id: string; scope: Scope; details: PartialBotDetails; requestedBy: string | null }

async function findTarget(db: Db, actor: UserActor, input: NewBot): Promise<Target> {
  const request = input.requestId ? await getBot(db, actor.scope, { id: input.requestId }) : undefined
  if (request?.state === 'created') throw conflict('This request was answered: the bot has been created')
  const scope = await findOrganization(db, actor, request?.organization_id ?? input.organizationId)
  const details = { ...readDetails(request?.details), ...input.details }
  await assertImages(db, details)
  if (input.botId) await assertFree(db, input.botId, request?.id)
  return {
    ...(request ? { id: request.id, requestedBy: request.requested_by } : { id: newId(), requestedBy: null }),
    scope,
    details,
  }
}

/** The scope of a customer's organisation, named by its founder. */
async function findOrganization(db: Db, actor: UserActor, organizationId: string | undefined): Promise<Scope> {
  if (organizationId === undefined) throw badField('organizationId', 'Choose an organisation')
  const { role, id, organization_id, path } = await getAccount(db, { id: organizationId, scope: actor.scope })
  if (role !== 'manager' || id !== organization_id) throw notFound('User')
  return { organizationId, path, descends: false }
}

/** A bot's callbacks go to one address, and so to one organisation. */
async function assertFree(db: Db, botId: string, except = '00000000-0000-0000-0000-000000000000'): Promise<void> {
  // Two administrators may create the same bot at the same time.
  await sql`select pg_advisory_xact_lock(hashtext(${`rcs_bot:${botId}`}))`.execute(db)
  const { rows } = await sql<{
    taken: boolean
  }>`select is_bot_connected(${botId}, ${except}::uuid) as taken`.execute(db)
  if (rows[0]?.taken) throw badField('botId', 'This bot is connected to an organisation already')
}

type Found = { botId: string; bot: PartnerBot | undefined }

async function askProvider(input: NewBot, { details }: Target, deps: ProviderQueryDeps): Promise<Found> {
  const { botId } = input
  if (botId !== undefined) return { botId, bot: await describeExisting(input.provider, botId, deps) }
  const partner = await findPartner(input.provider, deps)
  if (!partner) throw badField('botId', 'Enter the id of the bot: this provider creates bots in its own console')
  const created = await partner.createBot(brandOf(parseDetails(details), deps))
  return { botId: created, bot: await partner.describeBot(created) }
}

/** Undefined if the provider cannot be asked, or does not let the partner's account read the bot. */
async function describeExisting(provider: string, botId: string, deps: ProviderQueryDeps) {
  try {
    return await (await findPartner(provider, deps))?.describeBot(botId)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === '404' || error.code === '400') throw badField('botId', 'The provider has no bot with this id')
    if (error.code === '403') return undefined
    throw error
  }
}

/** The details that a provider needs; errors name their field. */
export function parseDetails(details: PartialBotDetails): BotDetails {
  const parsed = BotDetails.safeParse(details, { error: issueMessage })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => ({
    field: ['details', ...issue.path].join('.'),
    message: issue.message,
  }))
  throw new Problem('bad_request', problems[0]?.message ?? 'Check the details', { details: problems })
}

type Storing = { actor: UserActor; input: NewBot; target: Target; found: Found }

async function storeBot(db: Db, { actor, input, target, found }: Storing, { secretBox }: ProviderQueryDeps) {
  const { id, scope } = target
  const { botId, bot } = found
  await assertFree(db, botId)
  const details = { ...described(bot), ...target.details, ...billingOf(bot) }
  const name = details.name ?? botId
  await saveCreated(db, { organizationId: scope.organizationId, id, details: { ...details, name } })
  await createSender(db, {
    actor,
    channel,
    secretBox,
    scope,
    input: {
      name,
      provider: input.provider,
      headers: [name],
      entityId: details.entityId,
      ratePerSecond: input.ratePerSecond ?? defaultRate,
      config: { ...generatedSettings(input.provider, botId), ...withoutEmpty(input.config) },
    },
    named: {
      id,
      externalId: botId,
      facts: factsOfBot({ botId, name }, bot ?? { ...undecided, useCase: details.useCase ?? 'multi_use' }),
    },
  })
  await saveBilling(db, { organizationId: scope.organizationId, id }, details)
  await notifyRequester(db, target, name)
}

/** A bot's billing category is fixed when it is made: what the provider says is charged, not what was requested. */
function billingOf(bot: PartnerBot | undefined): Pick<PartialBotDetails, 'billing'> {
  return bot?.billing ? { billing: bot.billing } : {}
}

const undecided: Pick<PartnerBot, 'verification' | 'launches'> = { verification: 'unverified', launches: [] }

/** What the provider knows and the administrator did not enter. */
function described(bot: PartnerBot | undefined): PartialBotDetails {
  if (!bot) return {}
  const { name, brandName, description, color, useCase } = bot
  const given = Object.entries({ name, brandName, description, color, useCase }).filter(([, value]) => value !== '')
  return readDetails(Object.fromEntries(given))
}

/** The bot's id and, where callbacks are signed, a new token, by the names of the provider's settings. */
function generatedSettings(provider: string, botId: string): Record<string, unknown> {
  const properties: Record<string, unknown> = Object(
    listProviderForms(channel).find(({ name }) => name === provider)?.schema['properties'],
  )
  return {
    ...('agentId' in properties ? { agentId: botId } : { botId }),
    ...('clientToken' in properties ? { clientToken: newToken() } : {}),
  }
}

function withoutEmpty(config: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== '' && value !== undefined))
}

async function notifyRequester(db: Db, { id, scope, requestedBy }: Target, name: string): Promise<void> {
  const { organizationId } = scope
  const accounts = new Set([organizationId, requestedBy ?? organizationId])
  await notify(
    db,
    [...accounts].map((accountId) => ({
      organizationId,
      accountId,
      kind: 'sender_changed' as const,
      title: `${name} has been created`,
      description: 'Invite test phones and send a test. It reaches everyone once operators have launched it.',
      link: { type: 'connection' as const, id: channel },
      eventKey: `sender_created:${id}:${accountId}`,
    })),
  )
}
