import type { LinkSettings } from '@carillon/contract/links'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { getLinkHost, setLinkHost } from '../brands/index.ts'
import { findLinkOrigin } from './link-origin.ts'

export async function getLinkSettings(
  db: Db,
  { organizationId }: Pick<UserActor, 'organizationId'>,
  publicUrl: string,
): Promise<LinkSettings> {
  return {
    host: await getLinkHost(db, organizationId),
    origin: await findLinkOrigin(db, { organizationId, publicUrl }),
  }
}

export async function updateLinkSettings(
  db: Db,
  actor: UserActor,
  { host, publicUrl }: { host: string | null; publicUrl: string },
): Promise<LinkSettings> {
  const { organizationId } = actor
  await setLinkHost(db, organizationId, { host, reservedHost: new URL(publicUrl).hostname })
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'link_domain.changed',
    details: { host: host ?? '' },
  })
  return getLinkSettings(db, actor, publicUrl)
}
