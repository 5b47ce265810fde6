import { Audience, AudienceStatus, type audienceEndpoints, type Recipient } from '@carillon/contract/audience'
import type { optOutEndpoints } from '@carillon/contract/opt-outs'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { FileAnswer, Handlers } from '../../http/handlers.ts'
import { notFound } from '../../lib/problem.ts'
import { getFile, openStored, type FileStore } from '../files/index.ts'
import { correctionsOf, findAudience, findRecipient, type AudienceRow } from './audiences.queries.ts'
import { readFirstRows } from './first-rows.ts'
import { correctAudience } from './correct-audience.ts'
import { createAudience, mapAudience, type AudienceDeps } from './create-audience.ts'
import { optOutHandlers } from './opt-out-handlers.ts'
import { listSavedAudiences, removeSavedAudience, saveAudience } from './saved-audiences.ts'

export function audienceHandlers(deps: AudienceDeps): Handlers<typeof audienceEndpoints & typeof optOutEndpoints> {
  return {
    ...optOutHandlers,
    'audience.create': async ({ db, actor, input, files }) =>
      presentAudience(
        await createAudience(db, deps, {
          actor,
          upload: files['file'],
          numbers: input.body.numbers,
          defaultCountry: input.body.defaultCountry,
          channel: input.body.channel,
        }),
      ),
    'audience.get': async ({ db, actor, input }) => presentAudience(await getAudienceInScope(db, actor, input.path.id)),
    'audience.recipient': ({ db, actor, input }) => readRecipient(db, actor, input.path),
    'audience.map': async ({ db, actor, input }) =>
      presentAudience(await mapAudience(db, { actor, id: input.path.id, mapping: input.body })),
    'audience.correct': async ({ db, actor, input }) =>
      presentAudience(await correctAudience(db, { actor, id: input.path.id, corrections: input.body })),
    'audience.rows': {
      withoutTransaction: ({ scoped, actor, input }) => readFirstRows(scoped, deps.store, { actor, id: input.path.id }),
    },
    'savedAudiences.list': ({ db, actor, input }) => listSavedAudiences(db, { scope: actor.scope, query: input.query }),
    'savedAudiences.save': async ({ db, actor, input }) =>
      presentAudience(await saveAudience(db, { actor, id: input.path.id, name: input.body.name })),
    'savedAudiences.remove': async ({ db, actor, input }) => {
      await removeSavedAudience(db, { actor, id: input.path.id })
      return {}
    },
    'audience.rejects': ({ db, actor, input }) => downloadRejects(db, deps.store, { actor, id: input.path.id }),
  }
}

async function getAudienceInScope(db: Db, { scope }: UserActor, id: string): Promise<AudienceRow> {
  const audience = await findAudience(db, { id, scope })
  if (!audience) throw notFound('Audience')
  return audience
}

async function readRecipient(db: Db, actor: UserActor, { id, seq }: { id: string; seq: number }): Promise<Recipient> {
  const audience = await getAudienceInScope(db, actor, id)
  const found = await findRecipient(db, { audience, seq })
  if (!found) throw notFound('Recipient')
  return { seq, total: audience.accepted, phoneNumber: `+${found.phone}`, values: found.variables }
}

async function downloadRejects(
  db: Db,
  store: FileStore,
  { actor, id }: { actor: UserActor; id: string },
): Promise<FileAnswer> {
  const audience = await getAudienceInScope(db, actor, id)
  if (!audience.rejects_file_id) throw notFound('Rejects file')
  const file = await getFile(db, { organizationId: audience.organization_id, id: audience.rejects_file_id })
  return {
    fileName: file.name,
    contentType: 'text/csv; charset=utf-8',
    body: await openStored(store, file.storage_key),
  }
}

export function presentAudience(row: AudienceRow): Audience {
  return {
    _id: row.id,
    status: AudienceStatus.parse(row.status),
    fileName: row.file_name,
    format: Audience.shape.format.parse(row.format),
    columns: row.columns,
    sheets: row.sheets,
    hiddenRows: row.hidden_rows,
    sample: Audience.shape.sample.parse(row.sample),
    ...(row.phone_column === null
      ? {}
      : {
          mapping: {
            phoneColumn: row.phone_column,
            defaultCountry: row.default_country,
            ...(row.sheet === null ? {} : { sheet: row.sheet }),
          },
        }),
    processed: row.processed,
    percent: Math.round(row.percent * 10) / 10,
    total: row.total,
    accepted: row.accepted,
    invalid: row.invalid,
    duplicate: row.duplicate,
    suppressed: row.suppressed,
    sampleErrors: Audience.shape.sampleErrors.parse(row.sample_errors),
    fixable: row.fixable,
    corrections: {
      automatic: correctionsOf(row).automatic,
      automaticRows: row.auto_corrected,
      rows: Audience.shape.corrections.shape.rows.parse(row.corrected_rows),
    },
    hasRejects: row.rejects_file_id !== null,
    ...(row.empty_cells === null || row.status !== 'ready' ? {} : { emptyCells: row.empty_cells }),
    ...(row.saved_name === null ? {} : { savedAs: row.saved_name }),
    ...(row.error === null ? {} : { error: row.error }),
    createdAt: row.created_at.toISOString(),
  }
}
