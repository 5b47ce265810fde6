import type { whatsappTemplateEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { Db } from '../../../db/pool.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { badField } from '../../../lib/problem.ts'
import { followTemplate } from '../../../modules/campaigns/index.ts'
import type { FileStore } from '../../../modules/files/index.ts'
import {
  getAccount,
  withProviderErrors,
  type ProviderQueryDeps,
  type ProviderAccount,
} from '../../../modules/senders/index.ts'
import {
  findToWrite,
  forgetTemplates,
  listCampaignsUsing,
  listOfAccount,
  listReviewedTemplates,
  listTemplateEvents,
  readCursor,
  saveDraft,
  syncTemplates,
  writeCursor,
  type ReviewedRow,
} from '../../../modules/templates/index.ts'
import { mediaHandlers } from './whatsapp-media.ts'
import { openWhatsapp } from './open-whatsapp.ts'
import { presentWhatsappTemplate } from './present-template.ts'
import { draftOf, fileIdsOf, getTemplate, submitWhatsappTemplate } from './submit-template.ts'

type Deps = ProviderQueryDeps & { files: FileStore }
type All = Handlers<typeof whatsappTemplateEndpoints>

const channel = 'whatsapp'

export function whatsappTemplateHandlers(deps: Deps): All {
  return { ...readHandlers(), ...writeHandlers(deps), ...mediaHandlers(deps) }
}

function readHandlers(): Pick<All, 'waTemplates.list' | 'waTemplates.get'> {
  return {
    'waTemplates.list': async ({ db, actor, input }) => {
      const { limit, before, after, fields: _, waba_id, search = '', ...others } = input.query
      const page = { limit, before: readCursor(before), after: readCursor(after) }
      const filter = {
        ...others,
        channel,
        accountExternalId: waba_id,
        search: { words: search, contentFields: ['body'] },
      } as const
      const { rows, total, hasBefore, hasAfter } = await listReviewedTemplates(db, { scope: actor.scope, filter, page })
      const [first, last] = [rows[0], rows.at(-1)]
      const cursors = {
        ...(first ? { before: writeCursor(first) } : {}),
        ...(last ? { after: writeCursor(last) } : {}),
      }
      const paging = {
        cursors,
        ...(hasAfter && last ? { next: addressOf(input.query, { after: cursors.after }) } : {}),
        ...(hasBefore && first ? { previous: addressOf(input.query, { before: cursors.before }) } : {}),
      }
      return { data: rows.map(presentWhatsappTemplate), paging, total }
    },
    'waTemplates.get': async ({ db, actor, input }) => {
      const row = await getTemplate(db, input.path.id, actor.scope)
      return { ...presentWhatsappTemplate(row), events: await listTemplateEvents(db, row) }
    },
  }
}

/** The URL of an adjacent page. */
function addressOf(query: Record<string, unknown>, place: { before?: string | undefined; after?: string | undefined }) {
  const filter = { ...query, before: undefined, after: undefined, ...place }
  const set = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return `/api/waba/templates?${new URLSearchParams(set)}`
}

function writeHandlers(
  deps: Deps,
): Pick<All, 'waTemplates.save' | 'waTemplates.create' | 'waTemplates.delete' | 'waTemplates.sync'> {
  return {
    'waTemplates.save': async ({ db, actor, input }) => {
      const { id, ...body } = input.body
      const account = await getAccount(db, actor.scope, { channel, externalId: body.waba_id })
      const writing = { actor, account, template: draftOf(body) }
      const row = await findToWrite(db, { ...writing, id })
      const written = await saveDraft(db, { ...writing, row, fileIds: fileIdsOf(body.components) })
      return presentWhatsappTemplate(await getTemplate(db, written, actor.scope))
    },
    'waTemplates.create': {
      withoutTransaction: ({ actor, scoped, input, files }) =>
        submitWhatsappTemplate(deps, { actor, transaction: scoped, body: input.body, upload: files['file'] }),
    },
    'waTemplates.delete': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { templateName } = input.query
        const { account, rows } = await scoped(async (db) => {
          const found = await getAccount(db, actor.scope, { channel, externalId: input.body.waba_id })
          return { account: found, rows: await listToDelete(db, found, templateName) }
        })
        const isSubmitted = rows.some(({ external_id, status }) => external_id !== null && status !== 'DELETED')
        if (isSubmitted)
          await withProviderErrors(() => openWhatsapp(account, deps).manage.templateReview.delete(templateName))
        return scoped(async (db) => {
          const campaigns = await listCampaignsUsing(db, { actor, templateIds: rows.map(({ id }) => id) })
          await forgetTemplates(db, actor, rows)
          return { campaigns }
        })
      },
    },
    'waTemplates.sync': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const account = await scoped((db) => getAccount(db, actor.scope, { channel, externalId: input.body.waba_id }))
        const { manage } = openWhatsapp(account, deps)
        const now = deps.io.clock.now()
        return withProviderErrors(() => syncTemplates(scoped, { account, manage, now }, followTemplate))
      },
    },
  }
}

/** All languages of a name. */
async function listToDelete(db: Db, { organization_id, id }: ProviderAccount, name: string): Promise<ReviewedRow[]> {
  const rows = await listOfAccount(db, { organizationId: organization_id, accountId: id }, { name })
  if (rows.length === 0) throw badField('templateName', 'This WhatsApp account has no template of that name')
  return rows
}
