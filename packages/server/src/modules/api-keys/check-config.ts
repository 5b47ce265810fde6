import type { Channel } from '@carillon/contract/channels'
import type { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { badField } from '../../lib/problem.ts'

type Found = ReadonlyMap<string, Channel>

/** Throws if a config names records that the organisation does not have, or contradicts itself. */
export async function checkConfig(db: Db, actor: UserActor, payload: KeyConfigPayload): Promise<void> {
  const { channels, defaults, filters, otp } = payload
  assertConsistent(payload)
  const senders = await findChannels(db, actor, {
    table: 'senders',
    ids: [...channels.senderIds, ...listOf(defaults.senderId)],
  })
  const templates = await findChannels(db, actor, {
    table: 'templates',
    ids: [...filters.allowedTemplateIds, ...listOf(defaults.templateId), ...otp.templateIds],
  })
  assertFound('channels.senderIds', channels.senderIds, { found: senders, thing: 'Sender' })
  assertFound('filters.allowedTemplateIds', filters.allowedTemplateIds, { found: templates, thing: 'Template' })
  assertFound('otp.templateIds', otp.templateIds, { found: templates, thing: 'Template' })
  assertOfChannel('defaults.senderId', defaults.senderId, {
    found: senders,
    thing: 'Sender',
    channel: channels.default,
  })
  assertOfChannel('defaults.templateId', defaults.templateId, {
    found: templates,
    thing: 'Template',
    channel: channels.default,
  })
}

/** A default that the config itself does not allow would refuse every message that relies on it. */
function assertConsistent({ channels, defaults, filters, otp }: KeyConfigPayload): void {
  const { allowed, senderIds, default: channel } = channels
  const { senderId, templateId, category, language, dlt } = defaults
  const needsChannel = [senderId, templateId, category, language, dlt.entityId, dlt.templateId]
  if (channel === undefined && needsChannel.some((value) => value !== undefined))
    throw badField('channels.default', 'Choose the channel of these defaults')
  if (channel && excludes(allowed, channel)) throw badField('channels.default', 'The default channel must be allowed')
  if (senderId && excludes(senderIds, senderId))
    throw badField('defaults.senderId', 'The default sender must be allowed')
  if (templateId && excludes(filters.allowedTemplateIds, templateId))
    throw badField('defaults.templateId', 'The default template must be allowed')
  const refused = otp.templateIds.findIndex((id) => excludes(filters.allowedTemplateIds, id))
  if (refused >= 0) throw badField(`otp.templateIds.${refused}`, 'The template must be allowed')
}

/** An empty list allows everything. */
function excludes<Value>(list: readonly Value[], value: Value): boolean {
  return list.length > 0 && !list.includes(value)
}

const listOf = (id: string | undefined) => (id === undefined ? [] : [id])

type Asked = { table: 'senders' | 'templates'; ids: readonly string[] }

async function findChannels(db: Db, { organizationId }: UserActor, { table, ids }: Asked): Promise<Found> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; channel: Channel }>`
    select id, channel from ${sql.table(table)}
    where organization_id = ${organizationId}::uuid and id = any(${[...ids]}::uuid[]) and deleted_at is null`.execute(
    db,
  )
  return new Map(rows.map(({ id, channel }) => [id, channel]))
}

type Records = { found: Found; thing: string }

function assertFound(field: string, ids: readonly string[], { found, thing }: Records): void {
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing >= 0) throw badField(`${field}.${missing}`, `${thing} not found`)
}

function assertOfChannel(
  field: string,
  id: string | undefined,
  { found, thing, channel }: Records & { channel: Channel | undefined },
): void {
  if (id === undefined) return
  if (!found.has(id)) throw badField(field, `${thing} not found`)
  if (found.get(id) !== channel) throw badField(field, `${thing} of another channel than the default one`)
}
