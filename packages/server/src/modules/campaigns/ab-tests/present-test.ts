import type { AbReport } from '@carillon/contract/ab-tests'
import type { Db } from '../../../db/pool.ts'
import type { CampaignKey } from '../campaigns.queries.ts'
import { findTest, readEnd, type AbTestRow } from './ab-tests.queries.ts'
import { judge, valueOf } from './judge.ts'
import { measureVariants, StoredResults, type StoredResult } from './measure-variants.ts'

/** The test of a campaign with the results of its variants; undefined without one. */
export async function presentTest(db: Db, key: CampaignKey): Promise<AbReport | undefined> {
  const test = await findTest(db, key)
  if (!test) return undefined
  const { metric } = test
  const results = await resultsOf(db, key, test)
  const isStarted = test.decides_at !== null
  return {
    phase: test.phase,
    metric,
    autoSend: test.auto_send,
    variants: results.map((result) => ({ ...result, value: valueOf(metric, result) })),
    rest: test.rest,
    heldOut: test.held_out,
    ...judge(metric, results),
    decidesAt: test.decides_at?.toISOString() ?? null,
    endsAt: isStarted ? (await readEnd(db, key)).toISOString() : null,
    winner: test.winner,
    decidedAt: test.decided_at?.toISOString() ?? null,
    ...(await presentChooser(db, key, test)),
  }
}

/** Later results of the winner include the recipients who were not in the test. */
async function resultsOf(db: Db, key: CampaignKey, { results }: AbTestRow): Promise<StoredResult[]> {
  return results === null ? measureVariants(db, key) : StoredResults.parse(results)
}

async function presentChooser(
  db: Db,
  { organizationId }: CampaignKey,
  { decided_by: id }: AbTestRow,
): Promise<Pick<AbReport, 'decidedBy'>> {
  if (!id) return {}
  const account = await db
    .selectFrom('accounts')
    .select('username')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return account ? { decidedBy: account.username } : {}
}
