import type { rcsBotAdminEndpoints } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import type { rcsBotEndpoints } from '@carillon/contract/channels/rcs/rcs-bots'
import { priceClassOf } from '@carillon/contract/channels/rcs/rcs-price-class'
import { paginate } from '@carillon/contract/paging'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { conflict } from '../../../lib/problem.ts'
import type { FileStore } from '../../../modules/files/index.ts'
import { sendSingle, wakeLanes } from '../../../modules/messages/index.ts'
import { notify } from '../../../modules/notifications/index.ts'
import {
  activateSender,
  listProviderForms,
  withProviderErrors,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import { listProviders } from '../../index.ts'
import { readBotFacts } from '../bot-facts.ts'
import { rcsLines } from '../line-rules.ts'
import { findPartner } from './bot-partner.ts'
import { createBot } from './bots-create.ts'
import { manageHandlers, registerWebhook } from './bots-manage.ts'
import { countBots, getBot, getCreated, isCreated, listBots, type BotRow } from './bots-read.ts'
import { requestHandlers } from './bots-requests.ts'
import { auditBot, changeBotRow } from './bots-store.ts'
import { updateBot } from './bots-update.ts'
import { presentAdminBot, presentBot, presentChoice, readDetails } from './present-bot.ts'
import { partnerHandlers } from './rcs-partner.ts'

const channel = 'rcs'
const mostChoices = 200

type BotCalls = typeof rcsBotEndpoints & typeof rcsBotAdminEndpoints
type Part<Name extends keyof BotCalls> = Pick<Handlers<BotCalls>, Name>

export function rcsBotHandlers(deps: ProviderQueryDeps & { files: FileStore }): Handlers<BotCalls> {
  return {
    ...useHandlers(deps),
    ...requestHandlers(deps),
    ...manageHandlers(deps),
    ...adminReads(deps),
    ...adminWrites(deps),
    ...partnerHandlers(deps),
  }
}

function useHandlers({ callbackUrl }: ProviderQueryDeps): Part<'bots.list' | 'bots.setStatus' | 'bots.test'> {
  return {
    'bots.list': async ({ db, actor, input }) => {
      const page = { limit: mostChoices, offset: 0 }
      const rows = await listBots(db, actor.scope, { ...input.query, state: 'created', page })
      return rows
        .filter(isCreated)
        .map(presentChoice)
        .toSorted((one, other) => one.name.localeCompare(other.name))
    },
    'bots.setStatus': async ({ db, actor, input }) => {
      const { botId, botStatus } = input.body
      const isActive = botStatus === 'active'
      const bot = await getCreated(db, actor.scope, { botId })
      const { status } = readBotFacts(bot.facts)
      const obstacle = rcsLines.findObstacle({ isRegistered: true, status })
      if (isActive && obstacle) throw conflict(obstacle)
      const { organization_id, id } = bot
      const sender = {
        organization_id,
        id,
        channel,
        name: bot.name ?? botId,
        is_active: bot.is_active ?? false,
      } as const
      await activateSender(db, { actor, sender, isActive })
      wakeLanes(db)
      return presentBot(await getBot(db, actor.scope, { id }), callbackUrl)
    },
    'bots.test': ({ db, actor, input }) => sendTest(db, actor, { ...input.body, id: input.path.id }),
  }
}

type Test = { id: string; phoneNumber: string; text: string }

async function sendTest(db: Db, actor: UserActor, { id, phoneNumber, text }: Test) {
  const bot = await getCreated(db, actor.scope, { id })
  if (!bot.is_active) throw conflict('The bot is off: switch it on first')
  const { messageId } = await sendSingle(db, {
    organizationId: actor.organizationId,
    accountId: actor.accountId,
    path: actor.scope.path,
    senderId: bot.id,
    kind: 'test',
    channel,
    phoneNumber,
    header: bot.name ?? bot.bot_id,
    text,
    category: priceClassOf({ text }),
  })
  wakeLanes(db)
  return { messageId }
}

function adminReads(deps: ProviderQueryDeps): Part<'bots.all' | 'bots.get' | 'bots.providers' | 'bots.regions'> {
  const { callbackUrl } = deps
  return {
    'bots.all': async ({ db, actor, input }) => {
      const { state, search, ...query } = input.query
      const which = { state, search }
      const total = await countBots(db, actor.scope, which)
      const { totalPages, page, limit } = paginate(query, total)
      const rows = await listBots(db, actor.scope, { ...which, page: { limit, offset: (page - 1) * limit } })
      return {
        bots: rows.map((row) => presentBot(row, callbackUrl)),
        total,
        totalPages,
        currentPage: page,
        requested: await countBots(db, actor.scope, { state: 'requested' }),
        awaitingLaunch: await countBots(db, actor.scope, { state: 'awaiting_launch' }),
      }
    },
    'bots.get': async ({ db, actor, input }) => presentAdminBot(await getBot(db, actor.scope, input.path), callbackUrl),
    'bots.providers': async () => listProviderForms(channel),
    'bots.regions': {
      withoutTransaction: async () => {
        const provider = listProviders(channel).find(({ partner }) => partner)
        const regions = await withProviderErrors(async () => (await findPartner(provider?.name ?? '', deps))?.regions())
        return (regions ?? []).map(({ isProviderManaged, ...region }) => ({
          ...region,
          isGoogleManaged: isProviderManaged,
        }))
      },
    },
  }
}

function adminWrites(deps: ProviderQueryDeps): Part<'bots.create' | 'bots.update' | 'bots.reject'> {
  const answer = (scoped: RunTransaction, actor: UserActor, id: string) =>
    scoped(async (db) => presentBot(await getBot(db, actor.scope, { id }), deps.callbackUrl))
  return {
    'bots.create': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const id = await createBot({ actor, scoped, input: input.body }, deps)
        // The provider verifies the URL now, which needs the stored account; a failure is shown with the bot.
        await registerWebhook({ actor, scoped, id }, deps)
        return answer(scoped, actor, id)
      },
    },
    'bots.update': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        await updateBot({ actor, scoped, input: input.body }, deps)
        return answer(scoped, actor, input.body.id)
      },
    },
    'bots.reject': async ({ db, actor, input }) => {
      const bot = await getBot(db, actor.scope, input.path)
      await rejectRequest(db, actor, { bot, reason: input.body.reason })
      return presentBot(await getBot(db, actor.scope, input.path), deps.callbackUrl)
    },
  }
}

async function rejectRequest(db: Db, actor: UserActor, { bot, reason }: { bot: BotRow; reason: string }) {
  if (bot.state !== 'requested') throw conflict('This request was answered already')
  const { organization_id: organizationId, id } = bot
  await changeBotRow(db, { organizationId, id }, { state: 'rejected', reason, decided_at: new Date() })
  await auditBot(db, { actor, bot: { organizationId, id }, event: 'rejected', details: { reason } })
  await notify(db, [
    {
      organizationId,
      accountId: bot.requested_by ?? organizationId,
      kind: 'sender_changed',
      title: `The request for ${readDetails(bot.details).name ?? 'an RCS bot'} was rejected`,
      description: reason,
      link: { type: 'connection', id: channel },
      eventKey: `sender_rejected:${id}:${Date.now()}`,
    },
  ])
}
