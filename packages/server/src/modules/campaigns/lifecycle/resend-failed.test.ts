import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../../testing/builders.ts'
import {
  balanceOf,
  buildReady,
  detail,
  foreign,
  head,
  inHours,
  server,
  setUp,
  tearDown,
  validate,
} from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

const six = [
  'Mobile,Name,City',
  '9876543210,Asha,Pune',
  '9876543211,"Rao, ""Kiran""",=Agra',
  '9876543212,Meena,Goa',
  '9876543213,Tara,Delhi',
  '9876543214,Om,Kochi',
  '9876543215,Zoya,Surat',
].join('\n')

type Result = { seq: number; status: string; reason?: string; leg?: number }

/** Records the outcome of each message, then ends the campaign. */
async function end(id: string, owner: Account, results: readonly Result[]) {
  for (const { seq, status, reason = null, leg = 0 } of results)
    await server.database.ownerPool.query(
      `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, reason, sent_at)
      select campaign.organization_id, campaign.created_on, campaign.id, $2, $5, leg.sender_id, recipient.phone, $3::message_status, 1, 1250, $4, now()
      from campaigns campaign
      join campaign_legs leg on leg.campaign_id = campaign.id and leg.leg = 0
      join recipients recipient on recipient.audience_id = campaign.audience_id and recipient.seq = $2
      where campaign.id = $1`,
      [id, seq, status, reason, leg],
    )
  expect(await server.call('smsCampaigns.discard', { as: owner, path: { id } })).toMatchObject({
    body: { data: { status: 'cancelled' } },
  })
}

const start = async (id: string, owner: Account) =>
  expect(await server.call('smsCampaigns.start', { as: owner, path: { id } })).toMatchObject({ status: 200 })
const failedOf = (as: Account, id: string) => server.ask('campaigns.failed', { as, path: { id } })
const resend = (as: Account, id: string, leaveOut: readonly string[] = []) =>
  server.call('campaigns.resendFailed', { as, path: { id }, body: { leaveOut: [...leaveOut] } })

async function resent(as: Account, id: string, leaveOut?: readonly string[]): Promise<string> {
  const answer = await resend(as, id, leaveOut)
  expect(answer).toMatchObject({ status: 200 })
  return answer.data()._id
}

async function peopleOf(as: Account, id: string) {
  const { audienceId } = await server.ask('drafts.get', { as, path: { id } })
  const path = { id: audienceId ?? '' }
  const audience = () => server.ask('audience.get', { as, path })
  await expect.poll(async () => (await audience()).status, { timeout: 20_000 }).toBe('ready')
  const { accepted } = await audience()
  const rows = []
  for (let seq = 0; seq < accepted; seq += 1) {
    rows.push(await server.ask('audience.recipient', { as, path: { ...path, seq } }))
  }
  return rows
}

const results: readonly Result[] = [
  { seq: 0, status: 'delivered' },
  { seq: 1, status: 'failed', reason: 'number_unreachable' },
  { seq: 2, status: 'failed', reason: 'invalid_number' },
  { seq: 3, status: 'unconfirmed' },
  { seq: 4, status: 'failed', reason: 'opted_out' },
  { seq: 5, status: 'failed', reason: 'number_unreachable' },
]

test('failed recipients are counted by reason, and a draft to those of the chosen reasons is checked and priced like any other', async () => {
  const { owner, id } = await buildReady({ content: six })
  await start(id, owner)
  expect(await resend(owner, id)).toMatchObject({
    status: 409,
    body: { message: 'Wait until the campaign has ended: more messages may fail' },
  })
  await end(id, owner, results)
  expect(await failedOf(owner, id)).toEqual({
    people: 3,
    again: 0,
    reasons: [
      {
        reason: 'number_unreachable',
        channel: 'sms',
        title: 'The phone could not be reached',
        people: 2,
        isPermanent: false,
      },
      {
        reason: 'invalid_number',
        channel: 'sms',
        title: 'The number does not exist',
        people: 1,
        isPermanent: true,
      },
    ],
  })
  const answer = await resend(owner, id, ['invalid_number'])
  expect(answer).toMatchObject({ status: 200, body: { data: { channel: 'sms', people: 2 } } })
  const copy = answer.data()._id
  // Their cells are unchanged, with quotes, commas and text that a spreadsheet would read as a formula.
  expect(await peopleOf(owner, copy)).toMatchObject([
    { phoneNumber: '+919876543211', values: ['+919876543211', 'Rao, "Kiran"', '=Agra'] },
    { phoneNumber: '+919876543215', values: ['+919876543215', 'Zoya', 'Surat'] },
  ])
  // The hold of the cancelled campaign is released shortly after its end.
  await expect.poll(() => balanceOf(owner)).toMatchObject({ held: 0 })
  expect(await validate(copy, owner)).toMatchObject({
    status: 'ready',
    campaignName: 'Resend of Spring',
    stats: { total: 2 },
  })
  await start(copy, owner)
  expect(await balanceOf(owner)).toMatchObject({ held: 2500 })
})

test('the recipients behind a number of an ended campaign become the audience of a draft like it', async () => {
  const { owner, id } = await buildReady({ content: six })
  const retarget = (as: Account, body: object) => server.call('campaigns.retarget', { as, path: { id }, body })
  await start(id, owner)
  expect(await retarget(owner, { result: 'delivered' })).toMatchObject({
    status: 409,
    body: { message: 'Wait until the campaign has ended: its recipients still change' },
  })
  await end(id, owner, [...results.slice(0, 3), { seq: 3, status: 'read' }, ...results.slice(4)])
  const answer = await retarget(owner, { result: 'delivered' })
  expect(answer).toMatchObject({ status: 200, body: { data: { channel: 'sms', people: 2 } } })
  const copy = answer.data()._id
  expect(await peopleOf(owner, copy)).toMatchObject([
    { phoneNumber: '+919876543210', values: ['+919876543210', 'Asha', 'Pune'] },
    { phoneNumber: '+919876543213', values: ['+919876543213', 'Tara', 'Delhi'] },
  ])
  expect(await validate(copy, owner)).toMatchObject({ campaignName: 'After Spring', stats: { total: 2 } })
  expect(await retarget(owner, { status: 'failed' })).toMatchObject({ body: { data: { people: 4 } } })
  expect(await retarget(owner, { result: 'read', leg: 3 })).toMatchObject({
    status: 409,
    body: { message: 'No recipients match: choose others' },
  })
  expect(await retarget(owner, { result: 'expired' })).toMatchObject({ status: 400 })
  expect(await retarget(foreign, { result: 'delivered' })).toMatchObject({ status: 404 })
  expect(await retarget(head, { result: 'delivered' })).toMatchObject({ status: 403 })
})

test('a person is excluded from another resend only while the first is sending or after it delivered', async () => {
  const { owner, id } = await buildReady({ content: six })
  await start(id, owner)
  await end(id, owner, results)
  const first = await resent(owner, id)
  await validate(first, owner)
  // A draft does not exclude its people from other resends; a scheduled or running one does.
  expect(await failedOf(owner, id)).toMatchObject({ people: 3, again: 0 })
  await server.call('campaigns.schedule', { as: owner, path: { id: first }, body: { startAt: inHours(2) } })
  expect(await failedOf(owner, id)).toMatchObject({ people: 0, again: 3, reasons: [] })
  expect(await resend(owner, id)).toMatchObject({
    status: 409,
    body: { message: 'No recipients left: choose at least one reason' },
  })
  await start(first, owner)
  await end(first, owner, [
    { seq: 0, status: 'delivered' },
    { seq: 1, status: 'failed', reason: 'invalid_number' },
    { seq: 2, status: 'failed', reason: 'number_unreachable' },
  ])
  expect(await failedOf(owner, id)).toMatchObject({ people: 2, again: 1 })
  // The third campaign resends the second; both earlier campaigns count it.
  const second = await resent(owner, first, ['invalid_number'])
  expect(await peopleOf(owner, second)).toMatchObject([{ phoneNumber: '+919876543215' }])
  await validate(second, owner)
  await start(second, owner)
  await end(second, owner, [{ seq: 0, status: 'unconfirmed' }])
  expect(await failedOf(owner, id)).toMatchObject({ people: 1, again: 2 })
  expect(await failedOf(owner, first)).toMatchObject({ people: 1, again: 1 })
})

test('a person reached by another leg, or still to be reached by one, has not failed', async () => {
  const { owner, id } = await buildReady({ content: six })
  await start(id, owner)
  await server.database.ownerPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, template_id, content, price, estimated, enter_reasons)
    select organization_id, campaign_id, 1, channel, sender_id, template_id, content, price, 0, '{number_unreachable}'
    from campaign_legs where campaign_id = $1`,
    [id],
  )
  await server.database.ownerPool.query(
    `insert into leg_entries (organization_id, campaign_id, leg, seq, reason, from_leg)
    select organization_id, id, 1, seq, 'number_unreachable', 0 from campaigns, unnest(array[1, 5, 0]) as seq where id = $1`,
    [id],
  )
  await end(id, owner, [
    ...results,
    { seq: 1, status: 'delivered', leg: 1 },
    { seq: 5, status: 'failed', reason: 'undelivered', leg: 1 },
    // The first leg was delivered after all.
    { seq: 0, status: 'failed', reason: 'undelivered', leg: 1 },
  ])
  expect(await failedOf(owner, id)).toMatchObject({
    people: 2,
    reasons: [{ reason: 'invalid_number' }, { reason: 'undelivered', people: 1 }],
  })
})

test('only accounts that may start the campaign, in scope, can resend it', async () => {
  const { owner, id } = await buildReady({ content: six })
  await start(id, owner)
  await end(id, owner, results)
  expect(await resend(head, id)).toMatchObject({ status: 403 })
  expect(await resend(foreign, id)).toMatchObject({ status: 404 })
  expect(await server.call('campaigns.failed', { as: foreign, path: { id } })).toMatchObject({ status: 404 })
  expect(await detail(id, owner)).toMatchObject({ status: 'cancelled' })
})
