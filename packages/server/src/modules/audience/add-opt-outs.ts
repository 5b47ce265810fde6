import { maximumOptOutRows, type OptOutResult, type OptOutScope } from '@carillon/contract/opt-outs'
import { truncate } from '@carillon/contract/text'
import { sql } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { UploadedFile } from '../../http/handlers.ts'
import { badField } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { openSource } from './audience-source.ts'
import { storedScopeOf } from './opt-outs.ts'
import { createRowChecker, explainReject } from './reading/check-rows.ts'
import { readPastedNumbers } from './reading/open-audience-file.ts'
import { UnreadableFile } from './reading/unreadable-file.ts'

export type NewOptOuts = {
  actor: UserActor
  scope: OptOutScope
  numbers: string | undefined
  upload: UploadedFile | undefined
  defaultCountry: string
}

type ReadNumbers = Pick<OptOutResult, 'duplicate' | 'invalid' | 'sampleErrors'> & { phones: number[] }

const keptSamples = 20
const longestShownValue = 60
const phonesPerInsert = 10_000

/** Reads the whole list, then writes it in one transaction: all or nothing. */
export async function addOptOuts(scoped: RunTransaction, { actor, scope, ...list }: NewOptOuts): Promise<OptOutResult> {
  const { phones, ...read } = await readNumbers(list)
  const source = list.upload || phones.length + read.duplicate + read.invalid > 1 ? 'import' : 'manual'
  const added = await scoped(async (db) => {
    let count = 0
    // A fixed order prevents deadlocks between overlapping lists.
    phones.sort((one, other) => one - other)
    for (let start = 0; start < phones.length; start += phonesPerInsert)
      count += await insertOptOuts(db, { actor, scope, source, phones: phones.slice(start, start + phonesPerInsert) })
    if (count > 0)
      await recordAudit(db, {
        organizationId: actor.organizationId,
        ...whoActs(actor),
        action: 'opt_out.added',
        object: { type: 'opt_out', id: scope },
        details: { count, scope, ...(phones.length === 1 ? { number: `+${phones[0]}` } : {}) },
      })
    return count
  })
  return { added, already: phones.length - added, ...read }
}

async function readNumbers({
  numbers,
  upload,
  defaultCountry,
}: Pick<NewOptOuts, 'numbers' | 'upload' | 'defaultCountry'>): Promise<ReadNumbers> {
  if (upload) return readUpload(upload, defaultCountry)
  const rows = readPastedNumbers(numbers ?? '')
  if (rows.length === 0) throw badField('numbers', 'Enter a number, or choose a file')
  const checker = createNumberChecker({ defaultCountry, phoneColumn: 0 })
  rows.forEach((row, index) => checker.check(row, index + 1))
  return checker.result()
}

async function readUpload(upload: UploadedFile, defaultCountry: string): Promise<ReadNumbers> {
  try {
    const chosen = { format: 'csv', sheet: null, phone_column: null, default_country: defaultCountry }
    const source = await openSource(upload.path, chosen)
    if (source.phoneColumn === undefined) throw new UnreadableFile('no_phone_column')
    const checker = createNumberChecker({ defaultCountry, phoneColumn: source.phoneColumn })
    for await (const { rows, numbers } of source.rows())
      rows.forEach((row, index) => checker.check(row, numbers[index] ?? 0))
    return checker.result()
  } catch (error) {
    if (error instanceof UnreadableFile) throw badField('file', error.message)
    throw error
  }
}

function createNumberChecker({ defaultCountry, phoneColumn }: { defaultCountry: string; phoneColumn: number }) {
  // Landlines are accepted: an opt-out applies to every kind of number.
  const checkRow = createRowChecker({ phoneColumn, defaultCountry, acceptsLandlines: true, width: 0 })
  const read: ReadNumbers = { phones: [], duplicate: 0, invalid: 0, sampleErrors: [] }
  return {
    check(row: readonly string[], rowNumber: number) {
      const checked = checkRow(row, rowNumber)
      if (checked.kind === 'accepted') read.phones.push(checked.phone)
      else if (checked.kind === 'duplicate') read.duplicate += 1
      else {
        read.invalid += 1
        if (read.sampleErrors.length < keptSamples)
          read.sampleErrors.push({
            row: rowNumber,
            value: truncate(checked.value, longestShownValue),
            message: explainReject(checked.reason, 'messages'),
          })
      }
      if (read.phones.length > maximumOptOutRows)
        throw badField('file', `A list can hold ${maximumOptOutRows.toLocaleString('en-IN')} numbers: split it`)
    },
    result: () => read,
  }
}

type Insert = { actor: UserActor; scope: OptOutScope; source: 'manual' | 'import'; phones: readonly number[] }

/** Returns the number of new opt-outs, including extensions from marketing to all messages. */
async function insertOptOuts(db: Db, { actor, scope, source, phones }: Insert): Promise<number> {
  const { channel, isMarketingOnly } = storedScopeOf(scope)
  const { numAffectedRows } = await sql`
    insert into opt_outs as known (organization_id, channel, phone, keyword, marketing_only, source, added_by)
    select ${actor.organizationId}::uuid, ${channel}::channel, phone, '', ${isMarketingOnly}, ${source}, ${actor.accountId}::uuid
    from unnest(${`{${phones.join(',')}}`}::bigint[]) as given (phone)
    order by phone
    on conflict (organization_id, channel, phone) do update
      set keyword = '', sender_id = null, at = now(), marketing_only = false, source = excluded.source, campaign_id = null,
        added_by = excluded.added_by
      where known.marketing_only and not excluded.marketing_only`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
