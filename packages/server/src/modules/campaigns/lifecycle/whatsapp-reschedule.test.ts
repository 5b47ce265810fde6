import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { whatsappLeg } from '../../../testing/draft-legs.ts'
import { buildDraft, buildNotice, validateDraft } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { checkInvariants } from '../../balance/index.ts'
import { inHours } from '../test-fixtures.ts'

let fixtures: WhatsappServer

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
}, 60_000)
afterAll(async () => {
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
  await fixtures.close()
})

test('a WhatsApp campaign is rescheduled, unscheduled by an edit and scheduled again', async () => {
  const connection = await connectWhatsapp(fixtures)
  const template = await buildNotice(fixtures.ask, connection.waba_id)
  const { _id: id } = await buildDraft(fixtures.ask, ['+919876543210', '+919876543211'], {
    legs: [whatsappLeg({ senderId: connection.senderId, templateId: template._id })],
  })
  const get = () => fixtures.ask('campaigns.get', { path: { id } })
  const schedule = (startAt: string) => fixtures.ask('campaigns.schedule', { path: { id }, body: { startAt } })
  const validate = async () => expect(await validateDraft(fixtures.ask, id)).toMatchObject({ status: 'ready' })
  const pendingCampaigns = async () =>
    (await fixtures.ask('waTemplates.get', { path: { id: template._id } })).pendingCampaigns
  await validate()
  expect(await pendingCampaigns()).toBe(0)
  await schedule(inHours(2))
  expect(await pendingCampaigns()).toBe(1)
  const { held } = await get()
  expect(held).toBeGreaterThan(0)
  const later = inHours(4)
  await schedule(later)
  expect(await get()).toMatchObject({ status: 'scheduled', startAt: later, held })

  expect(await fixtures.ask('campaigns.reopen', { path: { id } })).toEqual({
    _id: id,
    status: 'draft',
    channel: 'whatsapp',
  })
  expect(await get()).toMatchObject({ status: 'draft', startAt: null, held: 0 })
  const saved = await fixtures.ask('drafts.get', { path: { id } })
  expect(saved.schedule.startAt).toBe(later)
  await fixtures.ask('drafts.save', { path: { id }, body: { ...saved, campaignName: 'Open on Sunday' } })
  await validate()
  await schedule(later)
  expect(await get()).toMatchObject({ campaignName: 'Open on Sunday', status: 'scheduled', held })
})
