import { sql } from 'kysely'
import { asSystem } from '@carillon/server/db/pool'
import { checkInvariants } from '@carillon/server/modules/balance/index'
import type { World } from './world.ts'

export type Verdict = {
  recipients: number
  rows: number
  byStatus: Record<string, number>
  received: number
  /** Numbers that got the message more than once. */
  duplicated: number
  /** Said to be sent or delivered, yet no phone got them. */
  lost: number
  /** Said to have failed, yet a phone got them. */
  contradicted: number
  complaints: string[]
}

/** Holds what the database says against what the phones received: the simulator's own log is the judge. */
export async function judge(
  world: World,
  { campaignId, phones }: { campaignId: string; phones: string[] },
): Promise<Verdict> {
  const received = await countReceived(world, new Set(phones))
  const rows = await asSystem(world.database(), (db) =>
    sql<{
      phone: number
      status: string
    }>`select phone, status::text from messages where organization_id = ${world.organizationId}::uuid and campaign_id = ${campaignId}::uuid`.execute(
      db,
    ),
  )
  const status = new Map(rows.rows.map((row) => [`+${row.phone}`, row.status]))
  const byStatus: Record<string, number> = {}
  for (const { status: name } of rows.rows) byStatus[name] = (byStatus[name] ?? 0) + 1

  const duplicated = [...received.values()].filter((count) => count > 1).length
  const lost = phones.filter(
    (phone) => ['sent', 'delivered', 'read'].includes(status.get(phone) ?? '') && !received.has(phone),
  ).length
  const contradicted = phones.filter(
    (phone) => ['failed', 'skipped', 'cancelled'].includes(status.get(phone) ?? '') && received.has(phone),
  ).length
  const ledger = await asSystem(world.database(), (db) => checkInvariants(db))
  const verdict = {
    recipients: phones.length,
    rows: rows.rows.length,
    byStatus,
    received: received.size,
    duplicated,
    lost,
    contradicted,
  }
  return { ...verdict, complaints: [...complain(verdict), ...ledger] }
}

function complain(verdict: Omit<Verdict, 'complaints'>): string[] {
  return [
    verdict.rows === verdict.recipients ? '' : `${verdict.recipients - verdict.rows} recipients have no result`,
    verdict.duplicated === 0 ? '' : `${verdict.duplicated} phones got the message more than once`,
    verdict.lost === 0 ? '' : `${verdict.lost} messages are said to be sent, but no phone got them`,
    verdict.contradicted === 0 ? '' : `${verdict.contradicted} messages are said to have failed, but a phone got them`,
  ].filter(Boolean)
}

async function countReceived(world: World, phones: Set<string>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let since = 0
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${world.simulatorPorts.http}/api/received?since=${since}&limit=5000`)
    const page = (await answer.json()) as { messages: { number: string }[]; next: number }
    for (const { number } of page.messages) {
      const phone = `+${number}`
      if (phones.has(phone)) counts.set(phone, (counts.get(phone) ?? 0) + 1)
    }
    if (page.messages.length === 0) return counts
    since = page.next
  }
}
