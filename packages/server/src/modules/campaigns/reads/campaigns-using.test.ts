import type { CallOptions } from '../../../testing/server.ts'
import type { CampaignsUsing } from '@carillon/contract/campaign-changes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import {
  admin,
  buildDraft,
  buildReady,
  buildSmsFixtures,
  foreign,
  inHours,
  server,
  setUp,
  tearDown,
  validate,
} from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

type Query = CallOptions<'campaigns.using'>['query']
async function using(as: Account, query: Query): Promise<CampaignsUsing> {
  const answer = await server.call('campaigns.using', { as, query })
  expect(answer).toMatchObject({ status: 200 })
  return answer.data()
}
const schedule = (as: Account, id: string, startAt: string) =>
  server.call('campaigns.schedule', { as, path: { id }, body: { startAt } })

test('names the scheduled and running campaigns that need a sender, a template, an account or a channel, the next first', async () => {
  const { owner, id: running, fixtures } = await buildReady()
  const ready = async (campaignName: string) => {
    const draft = await buildDraft(owner, { fixtures, campaignName })
    await validate(draft._id, owner)
    return draft._id
  }
  const [later, sooner] = [await ready('Later'), await ready('Sooner')]
  await ready('Not scheduled')
  await schedule(owner, later, inHours(9))
  const at = inHours(2)
  await schedule(owner, sooner, at)
  await server.call('smsCampaigns.start', { as: owner, path: { id: running } })

  const bySender = await using(owner, { need: 'sender' as const, ids: fixtures.smsAccountId })
  expect(bySender).toMatchObject({ total: 3, scheduled: 2 })
  expect(bySender.campaigns.map(({ campaignName }) => campaignName)).toEqual(['Sooner', 'Later', 'Spring'])
  expect(bySender.campaigns[0]).toEqual({
    _id: sooner,
    campaignName: 'Sooner',
    channel: 'sms',
    status: 'scheduled',
    startAt: at,
    timezone: 'Asia/Kolkata',
  })
  for (const query of [
    { need: 'template' as const, ids: fixtures.templateId },
    { need: 'account' as const, ids: owner.id },
    { need: 'channel' as const, channel: 'sms' as const },
  ])
    expect(await using(owner, query)).toEqual(bySender)
  expect(await using(owner, { need: 'channel' as const, channel: 'whatsapp' })).toEqual({
    total: 0,
    scheduled: 0,
    campaigns: [],
  })

  const other = await buildSmsFixtures(owner)
  expect(await using(owner, { need: 'sender', ids: other.smsAccountId })).toMatchObject({ total: 0 })
  expect(await using(owner, { need: 'sender', ids: `${other.smsAccountId},${fixtures.smsAccountId}` })).toMatchObject({
    total: 3,
  })
  await server.call('smsCampaigns.discard', { as: owner, path: { id: sooner } })
  expect(await using(owner, { need: 'sender', ids: fixtures.smsAccountId })).toMatchObject({ total: 2, scheduled: 1 })
})

test("only campaigns in the caller's scope, and only for a known kind of need", async () => {
  const { owner, id, fixtures } = await buildReady()
  await schedule(owner, id, inHours(2))
  const colleague = await buildUser(server.database, { parent: owner })
  for (const as of [foreign, colleague])
    expect(await using(as, { need: 'sender', ids: fixtures.smsAccountId })).toMatchObject({ total: 0 })
  expect(await using(admin, { need: 'account', ids: owner.id })).toMatchObject({ total: 1 })
  expect(await using(await buildManager(server.database), { need: 'account', ids: owner.id })).toMatchObject({
    total: 0,
  })
  for (const query of [{ need: 'sender' }, { need: 'channel' }, { need: 'weather' }, { need: 'sender', ids: 'x' }])
    expect(await server.callUnchecked('campaigns.using', { as: owner, query })).toMatchObject({ status: 400 })
})
