import type { rcsBotAdminEndpoints } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import { botLimits } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { BotTester, rcsBotEndpoints } from '@carillon/contract/channels/rcs/rcs-bots'
import type { UserActor } from '../../../actor.ts'
import type { RunTransaction } from '../../../db/pool.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { conflict, Problem } from '../../../lib/problem.ts'
import {
  getAccount,
  openAccount,
  syncLines,
  withProviderErrors,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import type { Partner, PartnerTester } from '../../management.ts'
import { contactOf, findPartner, getPartner } from './bot-partner.ts'
import { getBot, getCreated, type CreatedBot } from './bots-read.ts'
import { auditBot, changeBotRow } from './bots-store.ts'
import { callbackAddress, presentBot, readDetails, readTesters } from './present-bot.ts'

type BotCalls = typeof rcsBotEndpoints & typeof rcsBotAdminEndpoints
type Part<Name extends keyof BotCalls> = Pick<Handlers<BotCalls>, Name>
type Caller = { actor: UserActor; scoped: RunTransaction; id: string }

/** Calls about a bot that ask its provider. */
export function manageHandlers(
  deps: ProviderQueryDeps,
): Part<'bots.sync' | 'bots.addTester' | 'bots.removeTester' | 'bots.verify' | 'bots.launch' | 'bots.registerWebhook'> {
  const answer = ({ actor, scoped, id }: Caller) =>
    scoped(async (db) => presentBot(await getBot(db, actor.scope, { id }), deps.callbackUrl))
  return {
    'bots.sync': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const caller = { actor, scoped, id: input.path.id }
        await syncBot(caller, deps)
        return answer(caller)
      },
    },
    ...testerHandlers(deps, answer),
    'bots.verify': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const caller = { actor, scoped, id: input.path.id }
        await requestReview(caller, deps, async (partner, bot) => {
          await partner.requestVerification(bot.bot_id, contactOf(readDetails(bot.details).review, actor))
          return { event: 'verification_requested' }
        })
        return answer(caller)
      },
    },
    'bots.launch': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const caller = { actor, scoped, id: input.path.id }
        const { regions } = input.body
        await requestReview(caller, deps, async (partner, bot) => {
          const contact = contactOf(readDetails(bot.details).review, actor)
          await partner.requestLaunch(bot.bot_id, { regions, contact })
          return { event: 'launch_requested', details: { regions: regions.join(', ') } }
        })
        return answer(caller)
      },
    },
    'bots.registerWebhook': {
      withoutTransaction: ({ actor, scoped, input }) => registerWebhook({ actor, scoped, id: input.path.id }, deps),
    },
  }
}

type Answer = (caller: Caller) => ReturnType<typeof presentBot> extends infer Bot ? Promise<Bot> : never

function testerHandlers(deps: ProviderQueryDeps, answer: Answer): Part<'bots.addTester' | 'bots.removeTester'> {
  return {
    'bots.addTester': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const caller = { actor, scoped, id: input.path.id }
        await addTester(caller, input.body.phoneNumber, deps)
        return answer(caller)
      },
    },
    'bots.removeTester': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const caller = { actor, scoped, id: input.path.id }
        await removeTester(caller, input.path.number, deps)
        return answer(caller)
      },
    },
  }
}

const load = ({ actor, scoped, id }: Caller) => scoped((db) => getCreated(db, actor.scope, { id }))

/** Reads verification, launches and testers from the provider. */
async function syncBot(caller: Caller, deps: ProviderQueryDeps): Promise<void> {
  const { actor, scoped } = caller
  const bot = await load(caller)
  await withProviderErrors(async () => {
    const partner = await getPartner(bot.provider, deps)
    const account = await scoped((db) => getAccount(db, actor.scope, { channel: 'rcs', id: bot.account_id }))
    const { lines } = openAccount(account, deps).manage
    if (lines) await syncLines(scoped, { account, manage: { lines } })
    const testers = await partner.listTesters(bot.bot_id)
    await scoped((db) => changeBotRow(db, keyOf(bot), { testers: mergeTesters(readTesters(bot.testers), testers) }))
  })
}

const keyOf = ({ organization_id, id }: CreatedBot) => ({ organizationId: organization_id, id })

function mergeTesters(known: readonly BotTester[], found: readonly PartnerTester[]): BotTester[] {
  return found.map((tester) => ({
    ...tester,
    invitedAt: known.find(({ phoneNumber }) => phoneNumber === tester.phoneNumber)?.invitedAt ?? null,
  }))
}

async function addTester(caller: Caller, phoneNumber: string, deps: ProviderQueryDeps): Promise<void> {
  const { actor, scoped } = caller
  const bot = await load(caller)
  assertRoom(readTesters(bot.testers), phoneNumber, deps.io.clock.now())
  const tester = await withProviderErrors(async () =>
    (await findPartner(bot.provider, deps))?.addTester(bot.bot_id, phoneNumber),
  )
  await scoped(async (db) => {
    const { testers } = await getCreated(db, actor.scope, { id: bot.id })
    const others = readTesters(testers).filter((known) => known.phoneNumber !== phoneNumber)
    const added = { phoneNumber, state: tester?.state ?? 'unknown', invitedAt: deps.io.clock.now().toISOString() }
    await changeBotRow(db, keyOf(bot), { testers: [...others, added] })
    await auditBot(db, { actor, bot: keyOf(bot), event: 'tester_added', details: { phoneNumber } })
  })
}

const dayMs = 24 * 3_600_000

function assertRoom(testers: readonly BotTester[], phoneNumber: string, now: Date): void {
  const known = testers.find((tester) => tester.phoneNumber === phoneNumber)
  if (known && known.state !== 'declined') throw conflict('This phone has been invited already')
  if (known) throw conflict('This phone declined: remove it, then invite it again')
  const today = testers.filter(({ invitedAt }) => invitedAt && Date.parse(invitedAt) > now.getTime() - dayMs)
  if (testers.length >= botLimits.testers) throw tooMany(`A bot has at most ${botLimits.testers} testers: remove one`)
  if (today.length >= botLimits.testersPerDay)
    throw tooMany(`At most ${botLimits.testersPerDay} testers can be invited a day: try again tomorrow`)
}

const tooMany = (message: string) => new Problem('too_many_requests', message)

async function removeTester(caller: Caller, phoneNumber: string, deps: ProviderQueryDeps): Promise<void> {
  const { actor, scoped } = caller
  const bot = await load(caller)
  await withProviderErrors(async () =>
    (await findPartner(bot.provider, deps))?.removeTester(bot.bot_id, phoneNumber),
  ).catch((error: unknown) => {
    // Removed at the provider before.
    if (!(error instanceof Problem) || error.code !== 'bad_request') throw error
  })
  await scoped(async (db) => {
    const { testers } = await getCreated(db, actor.scope, { id: bot.id })
    const others = readTesters(testers).filter((known) => known.phoneNumber !== phoneNumber)
    await changeBotRow(db, keyOf(bot), { testers: others })
    await auditBot(db, { actor, bot: keyOf(bot), event: 'tester_removed', details: { phoneNumber } })
  })
}

type Requested = Pick<Parameters<typeof auditBot>[1], 'event' | 'details'>
type Request = (partner: Partner, bot: CreatedBot) => Promise<Requested>

/** Requests a decision of the provider, and reads the bot again. */
async function requestReview(caller: Caller, deps: ProviderQueryDeps, request: Request): Promise<void> {
  const { actor, scoped } = caller
  const bot = await load(caller)
  const requested = await withProviderErrors(async () => request(await getPartner(bot.provider, deps), bot))
  await scoped((db) => auditBot(db, { actor, bot: keyOf(bot), ...requested }))
  await syncBot(caller, deps)
}

/** The URL and token of a bot's callbacks; registered at the provider if it can be managed from here. */
export async function registerWebhook(caller: Caller, deps: ProviderQueryDeps) {
  const { actor, scoped } = caller
  const bot = await load(caller)
  const account = await scoped((db) => getAccount(db, actor.scope, { channel: 'rcs', id: bot.account_id }))
  const { config } = openAccount(account, deps)
  const url = callbackAddress(deps.callbackUrl, bot.callback_key)
  const { clientToken }: { clientToken?: unknown } = Object(config)
  const token = typeof clientToken === 'string' && clientToken !== '' ? clientToken : null
  const problem = await withProviderErrors(async () => {
    const partner = await findPartner(bot.provider, deps)
    if (!partner || token === null) return 'This provider’s callback URL is entered in its own console'
    await partner.setWebhook(bot.bot_id, { url, token })
    return null
  }).catch((error: unknown) => {
    if (error instanceof Problem) return error.message
    throw error
  })
  await scoped((db) => auditBot(db, { actor, bot: keyOf(bot), event: 'webhook_shown' }))
  return { isRegistered: problem === null, problem, callbackUrl: url, clientToken: token }
}
