import { channelTraits } from '@carillon/contract/channels/table'
import { Audience, maximumCorrections, type Corrections } from '@carillon/contract/audience'
import { correctableReasons } from '@carillon/contract/corrections'
import type { ProblemDetail } from '@carillon/contract/errors'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { createPhoneReader } from '../../lib/phone.ts'
import { badField, conflict, notFound, Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { lockAudience, StoredCorrections, type AudienceRow } from './audiences.queries.ts'
import { readAgain } from './create-audience.ts'
import { explainReject } from './reading/check-rows.ts'

type Correct = { actor: UserActor; id: string; corrections: Corrections }

/** Changes corrections and validates the file again. No changes, no validation. */
export async function correctAudience(db: Db, { actor, id, corrections }: Correct): Promise<AudienceRow> {
  const audience = await lockAudience(db, { id, scope: actor.scope })
  if (!audience) throw notFound('Audience')
  const before = StoredCorrections.parse(audience.corrections)
  const after = applyChange(before, audience, corrections)
  if (JSON.stringify(after) === JSON.stringify(before)) return audience
  if (audience.saved_name !== null)
    throw conflict('This audience is saved: upload the file again to correct its numbers')
  if (audience.status !== 'ready') throw conflict('Numbers can be corrected once the rows are checked')
  assertCorrectable(audience, { before, rows: corrections.rows })
  if (after.rows.length > maximumCorrections)
    throw badField(
      'rows',
      `An audience can have ${maximumCorrections} typed numbers: correct the file and upload it again`,
    )

  const begun = await readAgain(db, audience, { change: { corrections: after }, purpose: 'to correct its numbers' })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'audience.corrected',
    object: { type: 'audience', id },
    details: { fileName: audience.file_name, typed: after.rows.length, automatic: after.automatic },
  })
  return begun
}

/** Normalises typed numbers, ordered by row; an invalid number is an error of its field. */
function applyChange(
  before: StoredCorrections,
  { default_country, channel }: AudienceRow,
  { automatic = before.automatic, rows }: Corrections,
): StoredCorrections {
  const { reachesLandlines, label } = channelTraits[channel]
  const readPhone = createPhoneReader(default_country)
  const numbers = new Map(before.rows.map(({ row, phoneNumber }) => [row, phoneNumber]))
  const details: ProblemDetail[] = []
  for (const [index, { row, phoneNumber }] of rows.entries()) {
    if (phoneNumber === '') {
      numbers.delete(row)
      continue
    }
    const read = readPhone(phoneNumber)
    const problem = 'problem' in read ? read.problem : reachesLandlines ? undefined : read.fixedLine
    if (problem) details.push({ field: `rows.${index}.phoneNumber`, message: explainReject(problem, label) })
    else if ('phone' in read) numbers.set(row, `+${read.phone}`)
  }
  refuse(details)
  const sorted = [...numbers].toSorted(([a], [b]) => a - b)
  return { automatic, rows: sorted.map(([row, phoneNumber]) => ({ row, phoneNumber })) }
}

type Rows = { before: StoredCorrections; rows: Corrections['rows'] }

/** Only rows reported as correctable, and rows corrected before. */
function assertCorrectable(audience: AudienceRow, { before, rows }: Rows): void {
  const shown = Audience.shape.sampleErrors
    .parse(audience.sample_errors)
    .filter(({ code }) => correctableReasons.has(code))
  const correctable = new Set([...shown, ...before.rows].map(({ row }) => row))
  refuse(
    rows.flatMap(({ row, phoneNumber }, index) =>
      phoneNumber === '' || correctable.has(row)
        ? []
        : [{ field: `rows.${index}.row`, message: `Row ${row} is not among the rejected rows that can be corrected` }],
    ),
  )
}

function refuse(details: ProblemDetail[]): void {
  const [first] = details
  if (first) throw new Problem('bad_request', first.message, { details })
}
