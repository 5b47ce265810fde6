import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { conflict } from '../../lib/problem.ts'
import { linksOf, type FrozenLink } from './link-cells.ts'
import type { LinkKeys } from './link-keys.ts'
import { largestNumber } from './link-code.ts'

type Campaign = { organizationId: string; campaignId: string }
type Leg = { /** Of the draft: all legs made of it share their links. */ draftLeg: number; content: object }

/** Numbers the links of a campaign that is validated. Returns the content of each leg with its numbered links. */
export async function freezeLinks(
  db: Db,
  { organizationId, campaignId }: Campaign,
  { legs, keys }: { legs: readonly Leg[]; keys: LinkKeys },
): Promise<object[]> {
  await db
    .deleteFrom('campaign_links')
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .execute()
  const byLeg = new Map<number, FrozenLink[]>()
  const contents: object[] = []
  for (const { draftLeg, content } of legs) {
    const links = linksOf(content)
    if (links.length === 0) {
      contents.push(content)
      continue
    }
    const frozen =
      byLeg.get(draftLeg) ?? (await numberLinks(db, { organizationId, campaignId, leg: draftLeg, links, keys }))
    byLeg.set(draftLeg, frozen)
    contents.push({ ...content, links: frozen })
  }
  return contents
}

type Numbering = Campaign & { leg: number; links: readonly FrozenLink[]; keys: LinkKeys }

async function numberLinks(db: Db, { organizationId, campaignId, leg, links, keys }: Numbering): Promise<FrozenLink[]> {
  await assertNumbersLeft(db, links.length)
  const rows = await db
    .insertInto('campaign_links')
    .values(
      links.map(({ variable, host, url }, position) => ({
        organization_id: organizationId,
        campaign_id: campaignId,
        leg,
        position,
        variable,
        host,
        url,
      })),
    )
    .returning(['position', 'number'])
    .execute()
  const numbers = new Map(rows.map(({ position, number }) => [position, number]))
  return links.map((link, position) => {
    const number = numbers.get(position)
    if (number === undefined) throw new Error('A link has no number')
    return { ...link, number, key: keys.keyOf(number).toString('base64url') }
  })
}

async function assertNumbersLeft(db: Db, count: number): Promise<void> {
  const { rows } = await sql<{ last: number }>`select last_value::int as last from link_numbers`.execute(db)
  if ((rows[0]?.last ?? 0) + count > largestNumber) throw conflict('No numbers for tracked links are left')
}
