import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Scope } from '../../db/scope.ts'
import { conflict } from '../../lib/problem.ts'

type Needed = {
  scope: Scope
  organizationId: string
  /** The noun in the error message. */
  name: string
  senderIds: readonly string[]
  templateIds: readonly string[]
}

const namedAtMost = 3

/**
 * Called before a sender or template is deleted: throws if any campaign in the organisation is about to send with it. The
 * campaigns are locked, so that none is scheduled or started meanwhile; drafts lose the reference.
 */
export async function freeFromCampaigns(db: Db, needed: Needed): Promise<void> {
  const { scope, organizationId, name, senderIds, templateIds } = needed
  const { rows } = await sql<{ name: string; isSeen: boolean }>`
    select campaign_name as name, campaign_path <@ ${scope.path}::ltree as "isSeen"
    from free_from_campaigns(${organizationId}::uuid, ${senderIds}::uuid[], ${templateIds}::uuid[])`.execute(db)
  if (rows.length > 0) throw conflict(inUse(name, rows))
}

/** Names those that the caller can see. */
function inUse(name: string, users: readonly { name: string; isSeen: boolean }[]): string {
  const seen = users.filter(({ isSeen }) => isSeen).slice(0, namedAtMost)
  const others = users.length - seen.length
  const names = [...seen.map((campaign) => campaign.name), ...(others > 0 ? [`${others} more`] : [])]
  const list = seen.length > 0 ? `: ${names.join(', ')}` : ''
  return users.length === 1
    ? `A campaign needs ${name}${list}. Wait until it has ended, or discard it first.`
    : `${users.length} campaigns need ${name}${list}. Wait until they have ended, or discard them first.`
}
