import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { restGroup } from '../ab-tests/draw-groups.ts'
import { readDraft, type CampaignRow } from '../campaigns.queries.ts'
import { versionOf } from '../drafts/drafts.ts'
import { assignLegs } from './assign-legs.ts'
import { exclusionOf, type Exclusion } from './beginnings.ts'
import { loadAudience, loadChoices } from './load-draft.ts'

/** What each recipient of a draft begins with, as counted by its estimate. */
export type ListedBeginnings = {
  people: number
  /** A draft's leg by its position, or a group that is not a leg. */
  countOf(leg: number): number
  isIn(leg: number, seq: number): boolean
  /** Undefined for recipients who begin with a leg. The leg is a position in the draft. */
  exclusionAt(seq: number): Exclusion | undefined
  hasLeg(leg: number): boolean
}

/** Recipients who begin with none, and those who get the winner of the test. */
export const [excludedGroup, winnerGroup] = [-1, -2]

/** Of recipients who get the winner. */
const restCode = 127

type Kept = { beginnings: ListedBeginnings; version: string; reading: number; at: number }

const cache = new Map<string, Kept>()
const cacheSize = 50
/** Recipients of all cached lists together; each takes one byte. */
const cachedPeople = 20_000_000
const keptMs = 5 * 60_000

type BeginningsQuery = { actor: UserActor; campaign: CampaignRow; now: Date; isFirst: boolean; publicUrl: string }

/**
 * The first page of a list decides for every recipient anew, by the rules of the estimate. Later pages, and searches, read the same
 * decisions as long as the draft and its audience are the same, so that opt-outs in between shift no page.
 */
export async function loadBeginnings(
  db: Db,
  { actor, campaign, now, isFirst, publicUrl }: BeginningsQuery,
): Promise<ListedBeginnings> {
  const draft = readDraft(campaign)
  const { reading } = await loadAudience(db, actor.scope, draft)
  const [version, at] = [versionOf(campaign), now.getTime()]
  const kept = cache.get(campaign.id)
  const isCurrent = kept?.version === version && kept.reading === reading && Math.abs(at - kept.at) < keptMs
  if (kept && isCurrent && !isFirst) return kept.beginnings
  const choices = await loadChoices(db, { scope: actor.scope, publicUrl }, campaign)
  const { legs, beginningAt } = await assignLegs(db, choices)
  const codes = new Int8Array(choices.audience.accepted)
  for (let seq = 0; seq < codes.length; seq += 1) {
    const code = beginningAt(seq)
    codes[seq] = code === 0 && choices.groups?.groupAt(seq) === restGroup ? restCode : code
  }
  const beginnings = listBeginnings(
    legs.map(({ position }) => position),
    codes,
  )
  cache.delete(campaign.id)
  cache.set(campaign.id, { beginnings, version, reading, at })
  shrinkCache()
  return beginnings
}

function listBeginnings(positions: readonly number[], codes: Int8Array): ListedBeginnings {
  const counts = new Map<number, number>()
  const groupOf = (code: number) => {
    if (code === restCode) return winnerGroup
    return code < 0 ? excludedGroup : (positions[code] ?? excludedGroup)
  }
  for (const code of codes) counts.set(groupOf(code), (counts.get(groupOf(code)) ?? 0) + 1)
  return {
    people: codes.length,
    countOf: (leg) => counts.get(leg) ?? 0,
    hasLeg: (leg) => positions.includes(leg),
    isIn: (leg, seq) => {
      const code = codes[seq]
      return code !== undefined && groupOf(code) === leg
    },
    exclusionAt(seq) {
      const exclusion = exclusionOf(codes[seq] ?? 0)
      return exclusion && { ...exclusion, leg: positions[exclusion.leg] ?? 0 }
    },
  }
}

/** Removes the oldest lists; the newest stays, whatever its size. */
function shrinkCache() {
  let people = 0
  for (const { beginnings } of cache.values()) people += beginnings.people
  for (const [id, { beginnings }] of cache) {
    if (cache.size === 1 || (cache.size <= cacheSize && people <= cachedPeople)) return
    cache.delete(id)
    people -= beginnings.people
  }
}
