import fastify from 'fastify'
import { register } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { createLogger } from '../../lib/logger.ts'
import { newId } from '../../lib/ids.ts'
import { buildManager } from '../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../testing/database.ts'
import { createClickLog } from './click-log.ts'
import { createEncoder } from './link-code.ts'
import { createLinkKeys } from './link-keys.ts'
import { mountLinks } from './mount-links.ts'
import { createTargets } from './targets.ts'

let opened: TestDatabase
let number: number

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.drop())
beforeEach(async () => {
  const { organizationId, id, path } = await buildManager(opened.database)
  const campaignId = newId()
  const { systemPool } = opened.database
  await systemPool.query(
    `insert into campaigns (organization_id, id, path, name, channel, created_by) values ($1, $2, $3, 'Sale', 'sms', $4)`,
    [organizationId, campaignId, path, id],
  )
  const { rows } = await systemPool.query<{ number: number }>(
    `insert into campaign_links (organization_id, campaign_id, leg, position, variable, host, url)
     values ($1, $2, 0, 0, 'value1', 'localhost', 'https://shop.example/') returning number`,
    [organizationId, campaignId],
  )
  number = rows[0]?.number ?? 0
})

const lost = async () => {
  const { values } = (await register.getSingleMetric('carillon_link_clicks_lost_total')?.get()) ?? { values: [] }
  return values.reduce((sum, { value }) => sum + value, 0)
}

test('redirects are answered while more clicks wait than fit in memory, and those that do not fit are counted as lost', async () => {
  const clicks = createClickLog({
    database: opened.database,
    logger: createLogger('silent'),
    limits: { waiting: 3, batch: 2 },
  })
  const keys = createLinkKeys('ab'.repeat(32))
  const app = fastify()
  await mountLinks(app, { keys, findTarget: createTargets(opened.database), clicks, clock: systemClock })
  const encode = createEncoder(number, keys.keyOf(number))
  const before = await lost()
  for (let seq = 0; seq < 5; seq += 1) {
    const headers = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0', host: 'localhost' }
    const { statusCode } = await app.inject({ url: `/l/${encode(seq)}`, headers })
    expect(statusCode).toBe(302)
  }
  expect((await lost()) - before).toBe(2)
  // In two batches.
  await clicks.start().stop()
  await app.close()
  const { rows } = await opened.database.systemPool.query(
    'select people, clicks::int, previews::int from campaign_links where number = $1',
    [number],
  )
  expect(rows).toEqual([{ people: 3, clicks: 3, previews: 0 }])
})

test('clicks that could not be written are written with the next', async () => {
  const clicks = createClickLog({ database: opened.database, logger: createLogger('silent') })
  const note = (seq: number) => clicks.note({ number, seq, at: new Date(), isPreview: false, device: 'other' })
  const people = async () => {
    const { rows } = await opened.database.systemPool.query('select people from campaign_links where number = $1', [
      number,
    ])
    return rows
  }
  const { ownerPool } = opened.database
  await ownerPool.query('alter table link_clicks add constraint refused check (seq < 0) not valid')
  note(0)
  note(1)
  await clicks.start().stop()
  expect(await people()).toEqual([{ people: 0 }])
  await ownerPool.query('alter table link_clicks drop constraint refused')
  note(2)
  await clicks.start().stop()
  expect(await people()).toEqual([{ people: 3 }])
})
