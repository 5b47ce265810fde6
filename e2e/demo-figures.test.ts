import type { CampaignStats } from '@carillon/contract/campaign-records'
import { fateLabels, figuresOf, sharesOf } from '@carillon/contract/figures'
import { roundRupees } from '@carillon/contract/money'
import { createClient, type Client } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { playStory } from '@carillon/server/demo/story'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { becomeQuiet, cellsOf } from './support/quiet-demo.ts'
import { startStack, type Stack } from './support/stack.ts'

/** Counts of one campaign, computed from messages: each recipient by the best one that arrived, else the last, or as queued while entering a leg. */
type Counted = Record<
  'total' | 'sent' | 'delivered' | 'read' | 'failed' | 'inFlight' | 'unconfirmed' | 'skipped' | 'parts' | 'cost',
  number
>
type DemoCampaign = { id: string; name: string; channel: 'sms' | 'rcs' | 'whatsapp' }

const plainSql = `
  with last as (
    select distinct on (seq) seq, status from messages where campaign_id = $1
      and (status in ('delivered', 'read')
        or not exists (select from leg_entries entry where entry.campaign_id = $1 and entry.seq = messages.seq and entry.leg > messages.leg))
    order by seq, case when status in ('delivered', 'read') then status end desc nulls last, leg desc
  ), every as (
    select seq, parts, charge_of(status, price, billable_on) as cost,
      status in ('sent', 'delivered', 'read') or (status = 'failed' and previous_status is not null) as taken
    from messages where campaign_id = $1
  )
  select (select total from campaigns where id = $1) as total,
    (select count(distinct seq) from every where taken)::int as sent,
    (select count(*) from last where status in ('delivered', 'read'))::int as delivered,
    (select count(*) from last where status = 'read')::int as read,
    (select count(*) from last where status = 'failed')::int as failed,
    (select count(*) from last where status = 'sent')::int as "inFlight",
    (select count(*) from last where status in ('unknown', 'unconfirmed'))::int as unconfirmed,
    (select count(*) from last where status = 'skipped')::int as skipped,
    (select coalesce(sum(parts) filter (where taken), 0) from every)::int as parts,
    (select coalesce(sum(cost), 0) / 10000.0 from every)::float8 as cost`

let stack: Stack
let manager: Client
let token: string
let told: DemoCampaign[]

beforeAll(async () => {
  stack = await startStack({ graph: { readShare: 0.6, gapMs: [10, 200] } })
  await playStory({ url: stack.url, simulator: stack.simulator })
  manager = await createClient(stack.url, { username: 'manager', password: demoPassword })
  const login = await fetch(`${stack.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'manager', password: demoPassword }),
  })
  token = ((await login.json()) as { token: string }).token
  const { rows } = await stack.database.ownerPool.query<DemoCampaign>(
    'select id, name, channel from campaigns where started_at is not null and not is_test',
  )
  told = rows
  await becomeQuiet(stack, { manager, campaigns: told.map(({ id }) => id) })
}, 180_000)
afterAll(() => stack.close())

async function countPlainly(id: string): Promise<Counted> {
  const { rows } = await stack.database.ownerPool.query<Counted>(plainSql, [id])
  if (!rows[0]) throw new Error('The query has one row')
  return rows[0]
}

function shown(stats: CampaignStats): Counted {
  const { tried: _, ...figures } = figuresOf(stats)
  const { total, skipped, parts, cost, refunded } = stats
  return { ...figures, total, skipped, parts, cost: Math.round((cost - refunded) * 10_000) / 10_000 }
}

/** Messages may still change in the background: reads both until they agree. */
async function agree(read: () => Promise<unknown>, id: string) {
  await expect
    .poll(async () => [await read(), await countPlainly(id)], { timeout: 15_000 })
    .toSatisfy(([one, other]) => {
      return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
    })
}

const sorted = (figures: object) =>
  Object.fromEntries(Object.entries(figures).toSorted(([a], [b]) => a.localeCompare(b)))

test('the demo has campaigns of every channel that were sent', () => {
  expect(new Set(told.map(({ channel }) => channel))).toEqual(new Set(['sms', 'rcs', 'whatsapp']))
})

describe('of each campaign', () => {
  const each = async (look: (campaign: DemoCampaign) => Promise<void>) => {
    for (const campaign of told) await look(campaign)
  }
  const detailOf = ({ id }: DemoCampaign) =>
    manager.call<{ stats: CampaignStats; failures: { failed: number }[] }>('campaigns.get', { path: { id } })

  test('the list, the side sheet, the report and its status match the messages', () =>
    each(async (campaign) => {
      const { id } = campaign
      await agree(async () => shown((await detailOf(campaign)).stats), id)
      await agree(async () => {
        const { campaigns } = await manager.call<{ campaigns: { _id: string; stats: CampaignStats }[] }>(
          'campaigns.list',
          { query: { limit: '100' } },
        )
        const found = campaigns.find(({ _id }) => _id === id)
        return found && shown(found.stats)
      }, id)
      await agree(
        async () =>
          shown(
            (await manager.call<{ stats: CampaignStats }>('reports.campaignStatus', { path: { campaignId: id } }))
              .stats,
          ),
        id,
      )
    }))

  test('no share is above 100 %, together they are 100 %, and the reasons add up to the failures', () =>
    each(async (campaign) => {
      const { stats, failures } = await detailOf(campaign)
      const shares = sharesOf(stats)
      if (!shares) return
      expect(stats.submitted).toBeLessThanOrEqual(stats.total)
      expect(figuresOf(stats).delivered).toBeLessThanOrEqual(figuresOf(stats).sent)
      expect(shares.delivered + shares.failed + shares.inFlight + shares.unconfirmed).toBeCloseTo(1, 9)
      expect(failures.reduce((sum, { failed }) => sum + failed, 0)).toBe(stats.failed)
    }))

  test('each filter of the recipients finds as many as the figure shows', () =>
    each(async ({ id }) => {
      const counted = await countPlainly(id)
      const total = async (status: string) =>
        (await manager.call<{ total: number }>('campaigns.responses', { query: { campaignId: id, status } })).total
      const found = {
        sent: await total('sent'),
        failed: await total('failed'),
        read: await total('read'),
        delivered: (await total('delivered')) + (await total('read')),
        unconfirmed: await total('unconfirmed'),
        skipped: await total('skipped'),
      }
      const { inFlight: sent, failed, read, delivered, unconfirmed, skipped } = counted
      expect(found).toEqual({ sent, failed, read, delivered, unconfirmed, skipped })
    }))

  test('the exported rows and the summary of the workbook add up to the same', () =>
    each(async ({ id, channel }) => {
      const counted = await countPlainly(id)
      const rows = await exportedRows(id)
      const of = (label: string) => rows.filter(({ Status }) => Status === label).length
      const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0)
      expect({
        total: rows.length,
        delivered: of(fateLabels.delivered) + of(fateLabels.read),
        read: of(fateLabels.read),
        failed: of(fateLabels.failed),
        inFlight: of(fateLabels.sent),
        unconfirmed: of(fateLabels.unconfirmed),
        skipped: of(fateLabels.skipped),
        parts: sum('Parts'),
        cost: Math.round(sum('Cost (₹)') * 10_000) / 10_000,
      }).toEqual(Object.fromEntries(Object.entries(counted).filter(([name]) => name !== 'sent')))

      const summary = await exportedSummary(id)
      const { total, sent, delivered, read, failed, inFlight, unconfirmed, skipped, parts } = counted
      expect(summary).toMatchObject({
        Recipients: total,
        Sent: sent,
        Delivered: delivered,
        ...(channel === 'sms' ? {} : { Read: read }),
        Failed: failed,
        'In flight': inFlight,
        Unconfirmed: unconfirmed,
        Skipped: skipped,
        Parts: parts,
      })
      expect(summary['Cost (₹)']).toBe(roundRupees(counted.cost))
    }))
})

test('the overview counts the messages of the account, and its shares have one denominator', async () => {
  type Counts = Parameters<typeof figuresOf>[0]
  const read = async () =>
    await manager.call<{ total: Counts; channels: Record<string, Counts> }>('dashboard.statusCounts', {
      query: { days: '1' },
    })
  const plain = `
    select coalesce(sum((status in ('sent', 'delivered', 'read') or (status = 'failed' and previous_status is not null))::int), 0)::int as sent,
      count(*) filter (where status in ('delivered', 'read'))::int as delivered, count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status in ('unknown', 'unconfirmed'))::int as unconfirmed
    from messages
    where organization_id = $1`
  await expect
    .poll(
      async () => {
        const { rows } = await stack.database.ownerPool.query(plain, [stack.cast.manager.organizationId])
        const { sent, delivered, failed, unconfirmed } = figuresOf((await read()).total)
        return JSON.stringify([rows[0], { sent, delivered, failed, unconfirmed }])
      },
      { timeout: 15_000 },
    )
    .toSatisfy((both: string) => {
      const [one, other] = JSON.parse(both) as [object, object]
      return JSON.stringify(one) === JSON.stringify(other)
    })
  const { total, channels } = await read()
  for (const counts of [total, ...Object.values(channels)]) {
    const shares = sharesOf(counts)
    if (shares) expect(shares.delivered + shares.failed + shares.inFlight + shares.unconfirmed).toBeCloseTo(1, 9)
  }
})

const get = (path: string) => fetch(`${stack.url}${path}`, { headers: { authorization: `Bearer ${token}` } })

async function exportedRows(id: string): Promise<Record<string, string>[]> {
  const text = (await (await get(`/api/reports/download-campaign-numbers/${id}`)).text()).replace('\ufeff', '')
  const [head = '', ...lines] = text.split('\r\n').filter(Boolean)
  const names = cellsOf(head)
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [names[index] ?? '', cell])))
}

/** The numbers of the workbook's first sheet, by their names. */
async function exportedSummary(id: string): Promise<Record<string, number>> {
  const files = unzipSync(
    new Uint8Array(await (await get(`/api/reports/download-excel/?campaignId=${id}`)).arrayBuffer()),
  )
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  const rows = [...sheet.matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<(?:t|v)[^>]*>(.*?)<\/(?:t|v)>/gs)].map(([, text = '']) => text),
  )
  return Object.fromEntries(rows.flatMap(([name, value]) => (name && value ? [[name, Number(value)]] : [])))
}
