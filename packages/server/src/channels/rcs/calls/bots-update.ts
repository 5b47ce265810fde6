import type { rcsBotAdminEndpoints } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import type { Input } from '@carillon/contract/endpoint'
import type { UserActor } from '../../../actor.ts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { conflict } from '../../../lib/problem.ts'
import {
  notifyOfLine,
  recheckConnections,
  reportLineChange,
  saveLineFacts,
  updateSender,
  withProviderErrors,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import { findProvider } from '../../index.ts'
import { readBotFacts } from '../bot-facts.ts'
import { factsOfBot } from '../bot-line.ts'
import { rcsLines } from '../line-rules.ts'
import { saveBilling } from './bot-billing.ts'
import { brandOf, getPartner } from './bot-partner.ts'
import { parseDetails } from './bots-create.ts'
import { getCreated, type CreatedBot } from './bots-read.ts'
import { assertImages } from './bots-requests.ts'
import { auditBot, changeBotRow } from './bots-store.ts'
import { mergeDetails } from './present-bot.ts'

const channel = 'rcs'

type BotChange = Input<(typeof rcsBotAdminEndpoints)['bots.update']>['body']
type Update = { actor: UserActor; scoped: RunTransaction; input: BotChange }

/** The provider is changed first: what it refuses is not stored. */
export async function updateBot({ actor, scoped, input }: Update, deps: ProviderQueryDeps): Promise<void> {
  const bot = await scoped(async (db) => {
    await assertImages(db, mergeDetails({}, input.details))
    return getCreated(db, actor.scope, { id: input.id })
  })
  const isManaged = findProvider(bot.provider)?.partner !== undefined
  if (isManaged && (input.verification ?? input.launches))
    throw conflict('Verification and launches are read from the provider: refresh the bot instead')
  if (isManaged && input.details) await changeAtProvider(bot, input, deps)
  await scoped(async (db) => {
    const before = await getCreated(db, actor.scope, { id: input.id })
    await storeChange(db, { actor, bot: before, input }, deps)
    if (input.verification ?? input.launches) await storeDecisions(db, { actor, bot: before, input })
    // With the new settings it may work again: then its campaigns go on.
    if (before.failure) await addJob(db, recheckConnections, { payload: {}, jobKey: 'recheck-connections' })
  })
}

async function changeAtProvider(bot: CreatedBot, { details }: BotChange, deps: ProviderQueryDeps): Promise<void> {
  const brand = brandOf(parseDetails(mergeDetails(bot.details, details)), deps)
  await withProviderErrors(async () => (await getPartner(bot.provider, deps)).changeBot(bot.bot_id, brand))
}

type Change = { actor: UserActor; bot: CreatedBot; input: BotChange }

async function storeChange(db: Db, { actor, bot, input }: Change, { secretBox }: ProviderQueryDeps): Promise<void> {
  const details = mergeDetails(bot.details, input.details)
  const name = details.name ?? bot.name ?? bot.bot_id
  const key = { organizationId: bot.organization_id, id: bot.id }
  await changeBotRow(db, key, { details })
  await saveBilling(db, key, input.details ?? {})
  await updateSender(db, {
    actor,
    channel,
    secretBox,
    id: bot.id,
    scope: { organizationId: bot.organization_id, path: bot.organization_path, descends: false },
    input: {
      name,
      provider: bot.provider,
      headers: [name],
      entityId: details.entityId,
      ratePerSecond: input.ratePerSecond ?? bot.rate_per_second ?? 1,
      config: { ...bot.config, ...input.config },
    },
  })
}

/** The decisions of a provider that cannot be asked, as the administrator learned them. */
async function storeDecisions(db: Db, { actor, bot, input }: Change): Promise<void> {
  const { organization_id: organizationId, id, bot_id: botId } = bot
  const before = readBotFacts(bot.facts)
  const name = bot.name ?? botId
  const now = factsOfBot(
    { botId, name },
    {
      verification: input.verification ?? before.verification,
      launches: input.launches ?? before.launches,
      useCase: input.details?.useCase ?? before.useCase,
    },
  )
  await saveLineFacts(db, { organizationId, id, facts: now })
  await reportLineChange(db, { organizationId, senderId: id, channel, before, now })
  await auditBot(db, { actor, bot: { organizationId, id }, event: 'decided', details: { status: now.status } })
  const change = rcsLines.describeChange?.(before, now)
  if (change !== undefined) await notifyOfLine(db, { organizationId, channel, senderId: id, title: name, change })
}
