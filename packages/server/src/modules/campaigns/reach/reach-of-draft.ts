import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { getAudience } from '../../audience/index.ts'
import { enabledLegs } from '../ab-tests/enabled-test.ts'
import type { CampaignRow } from '../campaigns.queries.ts'
import { requestReachCheck } from './check-reach.ts'
import { findCheck, forgetBatches, type ReachCheck, type ReachKey } from './reach.queries.ts'

type DraftOf = {
  campaign: Pick<CampaignRow, 'organization_id' | 'audience_id'>
  draft: Pick<CampaignDraft, 'legs' | 'abTest'>
}

/** A leg whose channel can tell who is reached, with its check if there is one. */
export type CheckedLeg = {
  leg: number
  channel: DraftLeg['channel']
  key: ReachKey
  reading: number
  people: number
  status: ReachCheck['status'] | 'none'
  check: ReachCheck | undefined
}

/** The legs of a draft whose channel can tell who is reached; none until the audience is ready. */
export async function listReach(db: Db, { campaign, draft }: DraftOf): Promise<CheckedLeg[]> {
  const { organization_id: organizationId, audience_id: audienceId } = campaign
  const found = enabledLegs(draft).flatMap(({ leg: { channel, senderId }, position }) =>
    senderId && getChannel(channel).checksReach ? [{ leg: position, channel, senderId }] : [],
  )
  if (!audienceId || found.length === 0) return []
  const { status, reading, accepted } = await getAudience(db, { organizationId, id: audienceId })
  if (status !== 'ready') return []
  const checked: CheckedLeg[] = []
  for (const { leg, channel, senderId } of found) {
    const key = { organizationId, audienceId, senderId }
    const last = await findCheck(db, key)
    const check = last?.reading === reading ? last : undefined
    checked.push({ leg, channel, key, reading, people: accepted, status: check?.status ?? 'none', check })
  }
  return checked
}

/**
 * The same, and requests checks. `due`: where there is none, or one whose answers are outdated; `missing`: also where the last one
 * failed; `all`: everyone is checked again.
 */
export async function requestReach(
  db: Db,
  of: DraftOf,
  request: 'due' | 'missing' | 'all' = 'due',
): Promise<CheckedLeg[]> {
  for (const { key, reading, check, status } of await listReach(db, of)) {
    if (status === 'checking') continue
    if (request === 'all') await forgetBatches(db, key)
    else if (check && !check.isOutdated && !(request === 'missing' && status === 'failed')) continue
    await requestReachCheck(db, key, reading)
  }
  return listReach(db, of)
}
