import type { Channel } from '@carillon/contract/channels'
import type { WebhookData } from '@carillon/contract/webhook-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { subjectArrays, subjectOf, type Describe, type Occurrence, type QueuedOf } from './occurrence.ts'

type Row = { id: string; channel: Channel; account_id: string; account: string; sender: string | null }

export const describeConnections: Describe<'connection.changed'> = async (db, events) => {
  const { organizations, ids } = subjectArrays(events)
  const rows = await read(
    db,
    sql`select account.id, account.channel, account.id as account_id, account.name as account, null as sender
      from unnest(${organizations}::uuid[], ${ids}::uuid[]) as asked (organization_id, id)
      join provider_accounts account using (organization_id, id)`,
  )
  return events.map((event) => {
    const row = rows.get(subjectOf(event))
    if (!row) return []
    const { isConnected, failure } = event.payload
    const detail: unknown = Object(failure).detail
    const reason = isConnected ? ('connected' as const) : ('refused' as const)
    const data = { ...placeOf(row), reason, ...(typeof detail === 'string' && { detail }) }
    return [{ type: isConnected ? 'channel.connected' : 'channel.disconnected', data, visibleTo: 'organization' }]
  })
}

export const describeSenders: Describe<'sender.changed'> = async (db, events) => {
  const { organizations, ids } = subjectArrays(events)
  const rows = await read(
    db,
    sql`select sender.id, sender.channel, account.id as account_id, account.name as account, sender.name as sender
      from unnest(${organizations}::uuid[], ${ids}::uuid[]) as asked (organization_id, id)
      join senders sender using (organization_id, id)
      join provider_accounts account on account.organization_id = sender.organization_id and account.id = sender.provider_account_id`,
  )
  return events.map((event) => {
    const row = rows.get(subjectOf(event))
    return row ? [...switched(row, event), ...rated(row, event)] : []
  })
}

async function read(db: Db, query: ReturnType<typeof sql<Row>>): Promise<Map<string, Row>> {
  const { rows } = await query.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const placeOf = ({ channel, account_id, account }: Row) => ({ channel, account: { id: account_id, name: account } })
const senderOf = ({ id, sender }: Row) => ({ id, name: sender ?? '' })

function switched(row: Row, { payload }: QueuedOf<'sender.changed'>): Occurrence[] {
  const { wasActive, isActive, isDeleted } = payload
  if (isActive === wasActive) return []
  const reason: WebhookData<'channel.connected'>['reason'] = isActive
    ? 'switched_on'
    : isDeleted
      ? 'deleted'
      : 'switched_off'
  const data = { ...placeOf(row), sender: senderOf(row), reason }
  return [{ type: isActive ? 'channel.connected' : 'channel.disconnected', data, visibleTo: 'organization' }]
}

function rated(row: Row, { payload }: QueuedOf<'sender.changed'>): Occurrence[] {
  const [before, after] = [payload.previousFacts['quality'], payload.facts['quality']]
  if (typeof after !== 'string' || after === before) return []
  const previousQuality = typeof before === 'string' ? before : null
  const data = { ...placeOf(row), sender: senderOf(row), quality: after, previousQuality }
  return [{ type: 'channel.quality_changed', data, visibleTo: 'organization' }]
}
