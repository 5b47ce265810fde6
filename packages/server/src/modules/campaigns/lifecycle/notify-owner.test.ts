import type { CampaignStatus } from '@carillon/contract/campaign-records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import type { Account } from '../../../testing/builders.ts'
import { noteEngineStep } from './stop-campaign.ts'
import { manager, server, setUp, tearDown, user } from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

async function addCampaign({ id: created_by, organizationId: organization_id, path }: Account, status: CampaignStatus) {
  const id = newId()
  await asSystem(server.database, (db) =>
    db
      .insertInto('campaigns')
      .values({ organization_id, id, created_by, path, name: 'Spring', channel: 'sms', status, total: 1 })
      .execute(),
  )
  return id
}

async function notificationsOf(campaign: string, who: Account): Promise<string[]> {
  const { notifications } = await server.ask('notifications.list', { as: who, query: { limit: 100 } })
  return notifications.filter(({ link }) => link?.id === campaign).map(({ title }) => title)
}

test('the owner is notified of a pause or an end by another account, not of their own', async () => {
  const theirs = await addCampaign(user, 'running')
  expect(await server.call('campaigns.pause', { as: manager, path: { id: theirs } })).toMatchObject({ status: 200 })
  expect(await notificationsOf(theirs, user)).toEqual(['Campaign paused'])
  expect(await notificationsOf(theirs, manager)).toEqual([])

  const own = await addCampaign(user, 'running')
  await server.call('campaigns.pause', { as: user, path: { id: own } })
  expect(await notificationsOf(own, user)).toEqual([])
})

test('the end of the audience is notified once, however often it is recorded', async () => {
  const id = await addCampaign(user, 'completed')
  for (let times = 0; times < 3; times += 1)
    await noteEngineStep(server.database, { organizationId: user.organizationId, campaignId: id }, 'completed')
  expect(await notificationsOf(id, user)).toEqual(['Campaign completed'])
})
