import { channelTraits } from '@carillon/contract/channels/table'
import { previewedRows, type AudienceFileRow } from '@carillon/contract/audience'
import { truncate } from '@carillon/contract/text'
import type { RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { notFound } from '../../lib/problem.ts'
import { getFile, type FileStore } from '../files/index.ts'
import { openSource } from './audience-source.ts'
import { correctionsOf, findAudience, type AudienceRow } from './audiences.queries.ts'
import { createRowChecker, explainInvalid, type CheckedRow } from './reading/check-rows.ts'
import { UnreadableFile } from './reading/unreadable-file.ts'

const longestShownCell = 200

/** Reads the first rows of the file again, including rejected ones. */
export async function readFirstRows(
  scoped: RunTransaction,
  store: FileStore,
  { actor, id }: { actor: UserActor; id: string },
): Promise<{ rows: AudienceFileRow[] }> {
  const { audience, storageKey } = await scoped(async (db) => {
    const found = await findAudience(db, { id, scope: actor.scope })
    if (!found) throw notFound('Audience')
    const file = await getFile(db, { organizationId: found.organization_id, id: found.file_id })
    return { audience: found, storageKey: file.storage_key }
  })
  if (audience.phone_column === null) return { rows: [] }
  try {
    return { rows: await readRows(store.localPath(storageKey), audience, audience.phone_column) }
  } catch (error) {
    // The audience itself reports that its file is unreadable.
    if (error instanceof UnreadableFile) return { rows: [] }
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw notFound('File')
    throw error
  }
}

async function readRows(path: string, audience: AudienceRow, phoneColumn: number): Promise<AudienceFileRow[]> {
  const source = await openSource(path, audience)
  const width = source.names.length
  const checkRow = createRowChecker({
    phoneColumn,
    defaultCountry: audience.default_country,
    acceptsLandlines: channelTraits[audience.channel].reachesLandlines,
    width,
    corrections: correctionsOf(audience),
  })
  const read: AudienceFileRow[] = []
  for await (const { rows, numbers } of source.rows()) {
    for (const [index, row] of rows.entries()) {
      if (read.length === previewedRows) return read
      const number = numbers[index] ?? 0
      const problem = problemOf(checkRow(row, number), audience)
      read.push({
        row: number,
        values: Array.from({ length: width }, (_, column) => truncate(row[column] ?? '', longestShownCell)),
        ...(problem === undefined ? {} : { problem }),
      })
    }
  }
  return read
}

function problemOf(row: CheckedRow, { default_country: defaultCountry, channel }: AudienceRow): string | undefined {
  if (row.kind === 'accepted') return undefined
  return row.kind === 'duplicate'
    ? `Duplicate of row ${row.firstRow}`
    : explainInvalid(row, { defaultCountry, messages: channelTraits[channel].label })
}
