import { sql } from 'kysely'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { Db } from '../../db/pool.ts'
import { toRupees } from '../balance/index.ts'
import { adviseOn, type NamedCampaign } from '../campaigns/index.ts'

type Fate = {
  seq: number
  phone: number
  variables: string[]
  status: MessageStatus | null
  reason: string | null
  code: string | null
  parts: number | null
  price: number | null
  sent_at: Date | null
  delivered_at: Date | null
  failed_at: Date | null
}

export type ReportLayout = { columns: readonly string[]; phoneColumn: number | null; timezone: string }

const rowsPerPage = 5000

/** The report's columns: the number, what else the file says of the person, and the fate of the message. */
export function reportHeader({ columns, phoneColumn, timezone }: ReportLayout): string[] {
  return [
    'Number',
    ...withoutPhone(columns, phoneColumn),
    'Status',
    'Reason',
    'Code',
    'Parts',
    'Cost (₹)',
    `Sent at (${timezone})`,
    `Delivered at (${timezone})`,
    `Failed at (${timezone})`,
  ]
}

/** Every recipient in the order of the file, page by page, each page in a transaction of its own: nothing is held for long. */
export async function* reportRows(
  scoped: <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>,
  campaign: NamedCampaign,
  layout: ReportLayout,
): AsyncGenerator<(string | number)[]> {
  const instant = createInstantFormat(layout.timezone)
  for (let from = 0; ; from += rowsPerPage) {
    const page = await scoped((db) => readPage(db, campaign, from))
    for (const fate of page) yield presentFate(fate, { campaign, layout, instant })
    if (page.length < rowsPerPage) return
  }
}

async function readPage(
  db: Db,
  { organization_id, id, audience_id, created_on }: NamedCampaign,
  from: number,
): Promise<Fate[]> {
  const { rows } = await sql<Fate>`
    select recipient.seq, phone, variables, message.status, message.reason, message.code, message.parts, message.price,
      message.sent_at, message.delivered_at, message.failed_at
    from recipients recipient
    left join lateral (
      select status, reason, code, parts, charge_of(status, price, billable_on) as price, sent_at, delivered_at, failed_at from messages
      where organization_id = ${organization_id}::uuid and campaign_id = ${id}::uuid and seq = recipient.seq and leg = 0 and created_on = ${created_on}::date
    ) message on true
    where organization_id = ${organization_id}::uuid and audience_id = ${audience_id}::uuid and recipient.seq >= ${from} and recipient.seq < ${from + rowsPerPage}
    order by recipient.seq`.execute(db)
  return rows
}

type Presentation = { campaign: NamedCampaign; layout: ReportLayout; instant: (at: Date | null) => string }

function presentFate(fate: Fate, { campaign, layout, instant }: Presentation): (string | number)[] {
  const waiting = campaign.status === 'cancelled' || campaign.status === 'discarded' ? 'cancelled' : 'queued'
  return [
    String(fate.phone),
    ...withoutPhone(fate.variables, layout.phoneColumn),
    fate.status ?? waiting,
    fate.reason === null ? '' : adviseOn(fate.reason).title,
    fate.code ?? '',
    fate.parts ?? 0,
    toRupees(fate.price ?? 0),
    instant(fate.sent_at),
    instant(fate.delivered_at),
    instant(fate.failed_at),
  ]
}

function withoutPhone(cells: readonly string[], phoneColumn: number | null): string[] {
  return cells.filter((_, column) => column !== phoneColumn)
}

/** `2026-01-05 14:03:09` of the reader's own clock, which spreadsheets read as a time. */
function createInstantFormat(timeZone: string): (at: Date | null) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => (at === null ? '' : format.format(at))
}
