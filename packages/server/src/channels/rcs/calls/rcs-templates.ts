import type { rcsTemplateEndpoints } from '@carillon/contract/channels/rcs/rcs-templates'
import { RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { conflict } from '../../../lib/problem.ts'
import { followTemplate } from '../../../modules/campaigns/index.ts'
import { findAccount, getAccount, withProviderErrors } from '../../../modules/senders/index.ts'
import {
  forgetTemplates,
  listLatestTemplates,
  readMedia,
  saveCopy,
  syncTemplates,
} from '../../../modules/templates/index.ts'
import { cardMedia } from '../media-rules.ts'
import { findBot, getBot } from './find-bot.ts'
import { presentRcsTemplate } from './present-template.ts'
import { mediaUrlOf } from '../media-url.ts'
import { openMedia } from './template-media.ts'
import { getTemplate, publishTemplate, reviewOf, saveTemplateDraft, type TemplateDeps } from './write-template.ts'

type All = Handlers<typeof rcsTemplateEndpoints>
type Part<Name extends keyof All> = Pick<All, Name>

const channel = 'rcs'

export function rcsTemplateHandlers(deps: TemplateDeps): All {
  return { ...readHandlers(), ...writeHandlers(deps), ...reviewHandlers(deps), ...mediaHandlers(deps) }
}

function readHandlers(): Part<'rcsTemplates.list' | 'rcsTemplates.get'> {
  return {
    'rcsTemplates.list': async ({ db, actor, input }) => {
      const { page, limit, botId, type, search = '', ...others } = input.query
      const filter = {
        ...others,
        channel,
        accountIds: await findTemplateAccounts(db, actor, botId),
        content: { type },
        search: { words: search, contentFields: ['textMessageContent'] },
      } as const
      const { rows, total } = await listLatestTemplates(db, { scope: actor.scope, filter, page, limit })
      const totalPages = Math.max(1, Math.ceil(total / limit))
      return { templates: rows.map(presentRcsTemplate), total, totalPages, currentPage: page }
    },
    'rcsTemplates.get': async ({ db, actor, input }) =>
      presentRcsTemplate(await getTemplate(db, input.path.id, actor.scope)),
  }
}

/** The accounts whose templates a bot can send; null: templates of any bot. Undefined without a bot. */
async function findTemplateAccounts(db: Db, { scope }: UserActor, botId: string | undefined) {
  if (botId === undefined) return undefined
  const bot = await findBot(db, scope, botId)
  if (!bot) return []
  return bot.reviewsTemplates ? [bot.accountId] : [bot.accountId, null]
}

function writeHandlers(
  deps: TemplateDeps,
): Part<'rcsTemplates.save' | 'rcsTemplates.create' | 'rcsTemplates.duplicate'> {
  return {
    'rcsTemplates.save': ({ db, actor, input }) => saveTemplateDraft(db, { actor, body: input.body }, deps),
    'rcsTemplates.create': {
      withoutTransaction: ({ actor, scoped, input }) =>
        publishTemplate(deps, { actor, body: input.body, transaction: scoped }),
    },
    'rcsTemplates.duplicate': async ({ db, actor, input }) => {
      const { name, ...template } = presentRcsTemplate(await getTemplate(db, input.path.id, actor.scope))
      const body = RcsTemplateInput.parse({ ...template, name: await freeName(db, actor, name) })
      return saveTemplateDraft(db, { actor, body }, deps)
    },
  }
}

const mostCopies = 50

/** The name with the first number that no template has. */
async function freeName(db: Db, { scope }: UserActor, name: string): Promise<string> {
  const base = name.replace(/_copy\d*$/, '').slice(0, 90)
  const rows = await db
    .selectFrom('templates')
    .select('name')
    .where('organization_id', '=', scope.organizationId)
    .where('channel', '=', channel)
    .where('deleted_at', 'is', null)
    .execute()
  const taken = new Set(rows.map((row) => row.name))
  const names = Array.from({ length: mostCopies }, (_, index) => `${base}_copy${index === 0 ? '' : index + 1}`)
  const free = names.find((each) => !taken.has(each))
  if (free === undefined) throw conflict(`There are ${mostCopies} copies of this template: delete some first`)
  return free
}

function reviewHandlers(deps: TemplateDeps): Part<'rcsTemplates.delete' | 'rcsTemplates.sync'> {
  return {
    'rcsTemplates.delete': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { row, account } = await scoped(async (db) => {
          const found = await getTemplate(db, input.path.id, actor.scope)
          const key = { organizationId: found.organization_id, accountId: found.provider_account_id }
          return { row: found, account: found.external_id === null ? undefined : await findAccount(db, key) }
        })
        const review = account && row.status !== 'DELETED' ? reviewOf(account, deps) : undefined
        if (review) await withProviderErrors(() => review.templateReview.delete(row.name))
        await scoped((db) => forgetTemplates(db, actor, [row]))
        return {}
      },
    },
    'rcsTemplates.sync': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const account = await scoped(async (db) => {
          const { accountId } = await getBot(db, actor.scope, input.body.botId)
          return getAccount(db, actor.scope, { channel, id: accountId })
        })
        const manage = reviewOf(account, deps)
        if (!manage) return { found: 0, changed: 0 }
        const now = deps.io.clock.now()
        return withProviderErrors(() => syncTemplates(scoped, { account, manage, now }, followTemplate))
      },
    },
  }
}

function mediaHandlers(deps: TemplateDeps): Part<'rcsMedia.template' | 'rcsMedia.file'> {
  return {
    'rcsMedia.template': async ({ db, actor, files }) => {
      const file = await readMedia(files['file'], cardMedia)
      const fileId = await saveCopy(db, deps.files, { actor, channel, file })
      return { fileId, url: mediaUrlOf(deps.publicUrl(), fileId) }
    },
    'rcsMedia.file': ({ db, input }) => openMedia(db, deps.files, input.path.id),
  }
}
