import { afterAll, beforeAll, expect, test } from 'vitest'
import { smsLeg, whatsappLeg } from '../../../testing/draft-legs.ts'
import { buildDraft, head, manager, server, setUp, tearDown } from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

const create = (legs: object[], as = manager) =>
  server.callUnchecked('drafts.create', { as, body: { campaignName: 'Diwali', legs } })
const refusedAt = (field: string, message: unknown = expect.stringMatching(/\S/)) => ({
  status: 400,
  body: { success: false, code: 'bad_request', details: [{ field, message }] },
})
const forbidden = {
  status: 403,
  body: { message: 'You are not authorized to access this resource.', code: 'forbidden' },
}

test('the values of each leg are parsed by the rules of its channel', async () => {
  const source = (fallback: string) => [{ fallback }]
  expect(await create([{ ...smsLeg(), values: undefined }])).toMatchObject({
    status: 200,
    body: { data: { legs: [{ channel: 'sms', values: { variables: [] }, isEnabled: true, entryConditions: [] }] } },
  })
  expect(await create([smsLeg({ variables: source('x'.repeat(201)) })])).toMatchObject(
    refusedAt('legs.0.values.variables.0.fallback'),
  )
  expect(await create([whatsappLeg(), smsLeg({ variables: [{ column: -1 }] })])).toMatchObject(
    refusedAt('legs.1.values.variables.0.column'),
  )
  expect(await create([whatsappLeg({ values: { media: { link: 'javascript:alert(1)' } } })])).toMatchObject(
    refusedAt('legs.0.values.media.link'),
  )
  for (const values of [null, 'text', 7, []])
    expect(await create([{ ...smsLeg(), values }])).toMatchObject(refusedAt('legs.0.values'))
})

test('fields that do not belong to the channel are dropped', async () => {
  const sent = { ...smsLeg(), values: { variables: [], status: 'completed' } }
  const answer = await create([sent])
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.text).not.toContain('completed')
})

test.each(['voice', 'email'])('nothing can be sent over %s yet', async (channel) => {
  expect(await create([{ ...smsLeg(), channel }])).toMatchObject(
    refusedAt('legs.0.channel', expect.stringMatching(/^Campaigns cannot be sent over \w+ yet$/)),
  )
})

test('failover is limited to what the previous channel allows', async () => {
  expect(await create([whatsappLeg(), smsLeg()])).toMatchObject({ status: 200 })
  const refused = refusedAt('legs.1.channel', 'A campaign cannot fail over from SMS to WhatsApp')
  expect(await create([smsLeg(), whatsappLeg()])).toMatchObject(refused)
  expect(await create([smsLeg(), smsLeg()])).toMatchObject(refusedAt('legs.1.channel'))
  expect(await create([whatsappLeg(), ...Array.from({ length: 500 }, () => smsLeg())])).toMatchObject(refusedAt('legs'))
  expect(await create([])).toMatchObject({ status: 400 })
})

test('the first message is sent to everyone', async () => {
  expect(await create([smsLeg({ isEnabled: false })])).toMatchObject(refusedAt('legs.0.isEnabled'))
  expect(await create([smsLeg({ entryConditions: [{ type: 'failed' }] })])).toMatchObject(
    refusedAt('legs.0.entryConditions'),
  )
})

test('each channel has its own roles that may create a campaign', async () => {
  expect(await create([smsLeg()], head)).toMatchObject({ status: 200 })
  expect(await create([whatsappLeg()], head)).toMatchObject(forbidden)

  const draft = await buildDraft(head)
  const path = { id: draft._id }
  const legs = [whatsappLeg(), smsLeg()] satisfies [unknown, unknown]
  expect(await server.call('drafts.save', { as: head, path, body: { campaignName: 'Diwali', legs } })).toMatchObject(
    forbidden,
  )
  await server.database.ownerPool.query(
    `update campaigns set channel = 'whatsapp', draft = jsonb_set(draft, '{legs,0,channel}', '"whatsapp"') where id = $1`,
    [draft._id],
  )
  for (const name of ['drafts.get', 'drafts.estimate', 'drafts.validate', 'campaigns.duplicate'] as const)
    expect([name, await server.call(name, { as: head, path })]).toMatchObject([name, forbidden])
  expect(await server.call('drafts.preview', { as: head, path: { ...path, seq: 0 } })).toMatchObject(forbidden)
  expect(await server.call('campaigns.get', { as: head, path })).toMatchObject({ status: 200 })
})
