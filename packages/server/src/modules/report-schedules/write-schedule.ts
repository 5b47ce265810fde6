import { nextRun, type RunRule } from '@carillon/contract/run-times'
import { maximumReportSchedules, type ReportScheduleInput } from '@carillon/contract/report-schedule-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { assertFormat, assertType, findCampaign } from '../report-files/index.ts'
import { newSecret } from '../webhooks/index.ts'
import { sealWebhookSecret, storeDestination, type StoredDestination } from './destinations.ts'
import {
  destinationOf,
  findOwner,
  lockSchedule,
  ruleOf,
  type ScheduleInScope,
  type ScheduleRow,
} from './schedules.queries.ts'

type Wanted = { wanted: ReportScheduleInput; secretBox: SecretBox; now: Date }

export async function createSchedule(
  db: Db,
  { actor, wanted, secretBox, now }: Wanted & { actor: UserActor },
): Promise<string> {
  const { organizationId, accountId, scope } = actor
  await assertRoom(db, actor)
  const id = newId()
  const place = { organizationId, id }
  const stored = await storeDestination(db, { secretBox, place, destination: wanted.destination })
  await db
    .insertInto('report_schedules')
    .values({
      organization_id: organizationId,
      id,
      path: scope.path,
      account_id: accountId,
      ...(await columnsOf(db, { owner: actor, wanted, stored, now })),
    })
    .execute()
  await note(db, { actor, organizationId, id, action: 'created', details: detailsOf(wanted) })
  return id
}

/** Serialises creations, so that the number can be checked. */
async function assertRoom(db: Db, { organizationId, accountId }: UserActor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report schedules ${accountId}`}, 0))`.execute(db)
  const { count } = await db
    .selectFrom('report_schedules')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maximumReportSchedules)
    throw conflict(`An account has at most ${maximumReportSchedules} schedules. Delete one you no longer need`)
}

/** Without another secret key, the one of before is kept. */
export async function updateSchedule(
  db: Db,
  { actor, id, wanted, secretBox, now }: Wanted & ScheduleInScope,
): Promise<void> {
  const row = await lockSchedule(db, { actor, id })
  const owner = await findOwner(db, row)
  if (!owner) throw conflict('The account of this schedule was deleted')
  const stored = await storeDestination(db, {
    secretBox,
    place: { organizationId: row.organization_id, id },
    destination: wanted.destination,
    before: { destination: destinationOf(row), secrets: row.secrets },
  })
  await setSchedule(db, row, await columnsOf(db, { owner: owner.actor, wanted, stored, now }))
  await note(db, { actor, organizationId: row.organization_id, id, action: 'updated', details: detailsOf(wanted) })
}

type Columns = { owner: UserActor; wanted: ReportScheduleInput; stored: StoredDestination; now: Date }

async function columnsOf(db: Db, { owner, wanted, stored, now }: Columns) {
  const { name, type, channel, format, campaignId } = wanted
  assertType(owner, { type, channel, campaignId, detailedCampaignReport: false })
  assertFormat(type, format)
  const rule = checkRule(wanted)
  const campaign = await findCampaign(db, owner, campaignId)
  return {
    name,
    type,
    channel,
    format,
    campaign_id: campaign?.id ?? null,
    campaign_name: campaign?.name ?? null,
    frequency: rule.frequency,
    weekday: rule.weekday,
    day_of_month: rule.dayOfMonth,
    time_of_day: rule.time,
    timezone: rule.timezone,
    destination: JSON.stringify(stored.destination),
    secrets: stored.secrets,
    next_run_at: nextRun(rule, now),
  }
}

function checkRule({ frequency, weekday, dayOfMonth, time, timezone }: ReportScheduleInput): RunRule {
  if (frequency === 'weekly' && weekday === null) throw badField('weekday', 'Choose a day of the week')
  if (frequency === 'monthly' && dayOfMonth === null) throw badField('dayOfMonth', 'Choose a day of the month')
  return {
    frequency,
    weekday: frequency === 'weekly' ? weekday : null,
    dayOfMonth: frequency === 'monthly' ? dayOfMonth : null,
    time,
    timezone,
  }
}

export async function pauseSchedule(
  db: Db,
  { actor, id, isPaused, now }: ScheduleInScope & { isPaused: boolean; now: Date },
): Promise<void> {
  const row = await lockSchedule(db, { actor, id })
  if (row.is_paused === isPaused) return
  await setSchedule(db, row, { is_paused: isPaused, paused_reason: null, next_run_at: nextRun(ruleOf(row), now) })
  const action = isPaused ? 'paused' : 'resumed'
  await note(db, { actor, organizationId: row.organization_id, id, action, details: {} })
}

export async function deleteSchedule(db: Db, { actor, id }: ScheduleInScope): Promise<void> {
  const { organization_id: organizationId, name } = await lockSchedule(db, { actor, id })
  await db.deleteFrom('report_schedules').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await note(db, { actor, organizationId, id, action: 'deleted', details: { name } })
}

/** The secret with which the requests of a webhook are signed. The previous one ends at once. */
export async function renewSecret(
  db: Db,
  { actor, id, secretBox }: ScheduleInScope & { secretBox: SecretBox },
): Promise<{ secret: string }> {
  const row = await lockSchedule(db, { actor, id })
  const { organization_id: organizationId } = row
  if (destinationOf(row).type !== 'webhook') throw conflict('Only webhooks have a secret')
  const { secret } = newSecret('v1')
  await setSchedule(db, row, { secrets: sealWebhookSecret(secretBox, { organizationId, id }, secret) })
  await note(db, { actor, organizationId, id, action: 'secret_renewed', details: {} })
  return { secret }
}

type Change = Partial<Omit<ScheduleRow, 'destination' | 'organization_id' | 'id'>> & { destination?: string }

export async function setSchedule(
  db: Db,
  { organization_id, id }: Pick<ScheduleRow, 'organization_id' | 'id'>,
  change: Change,
): Promise<void> {
  await db
    .updateTable('report_schedules')
    .set(change)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

function detailsOf({ name, type, frequency, destination }: ReportScheduleInput) {
  return { name, type, frequency, destination: destination.type }
}

type Note = {
  actor: UserActor
  organizationId: string
  id: string
  action: string
  details: Record<string, string>
}

async function note(db: Db, { actor, organizationId, id, action, details }: Note): Promise<void> {
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: `report_schedule.${action}`,
    object: { type: 'report_schedule', id },
    details,
  })
}
