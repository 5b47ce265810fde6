import { CampaignStatus } from '@carillon/contract/campaign-records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { buildCampaign, buildSender } from '../../messages/test-lane.ts'
import { canBecome } from './campaign-states.ts'

let own: TestDatabase
let manager: Account
let id: string

beforeAll(async () => {
  own = await testDatabase()
  manager = await buildManager(own.database)
  id = await buildCampaign(own.database, {
    owner: manager,
    senderId: await buildSender(own.database, manager),
    total: 1,
    status: 'paused',
  })
})
afterAll(() => own.drop())

async function move(from: CampaignStatus, to: CampaignStatus): Promise<boolean | undefined> {
  await own.database.ownerPool.query('update campaigns set status = $2 where id = $1', [id, from])
  const { rows } = await own.database.systemPool.query<{ moved: boolean }>(
    'select move_campaign($1, $2, $3) as moved',
    [manager.organizationId, id, to],
  )
  return rows[0]?.moved
}

/** The moves that the engine makes by itself; others are requested by users and made in this module. */
const engineMoves: readonly CampaignStatus[] = ['running', 'completed', 'paused']

test.each(CampaignStatus.options)('the engine moves a campaign on from %s only as the states allow', async (from) => {
  for (const to of CampaignStatus.options)
    expect({ to, moved: await move(from, to) }).toEqual({ to, moved: engineMoves.includes(to) && canBecome(from, to) })
})

test('each status change is an event, and an attempt without effect is none', async () => {
  const count = async () => {
    const { rows } = await own.database.ownerPool.query(
      `select payload ->> 'status' as status from domain_events where type = 'campaign.changed' and subject_ids = array[$1::uuid] order by id`,
      [id],
    )
    return rows.length
  }
  const before = await count()
  await move('queued', 'running')
  await move('cancelled', 'running')
  expect(await count()).toBe(before + 1)
})
