import { Channel, ChannelFlags } from '@carillon/contract/channels'
import { isOnByDefault } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { recordAudit } from '../audit/index.ts'

const defaults = Object.fromEntries(Channel.options.map((channel) => [channel, isOnByDefault(channel)]))

export async function getChannelFlags(db: Db, { organizationId }: UserActor): Promise<ChannelFlags> {
  const row = await db
    .selectFrom('channel_flags')
    .select('flags')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return ChannelFlags.parse({ ...defaults, ...Object(row?.flags) })
}

/** Sets the given channels; the others are unchanged. */
export async function updateChannelFlags(
  db: Db,
  actor: UserActor,
  change: { [Name in keyof ChannelFlags]?: boolean | undefined },
): Promise<ChannelFlags> {
  const given: Record<string, boolean> = Object.fromEntries(
    Object.entries(change).flatMap(([name, isOn]) => (isOn === undefined ? [] : [[name, isOn]])),
  )
  const flags = JSON.stringify({ ...(await getChannelFlags(db, actor)), ...given })
  await db
    .insertInto('channel_flags')
    .values({ organization_id: actor.organizationId, flags })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ flags }))
    .execute()
  await recordAudit(db, {
    organizationId: actor.organizationId,
    actorId: actor.accountId,
    action: 'channels.updated',
    details: given,
  })
  return getChannelFlags(db, actor)
}
