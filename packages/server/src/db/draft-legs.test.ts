import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { CampaignDraft } from '@carillon/contract/draft-legs'
import { newId } from '../lib/ids.ts'
import { buildAdmin, buildManager } from '../testing/builders.ts'
import { testDatabase } from '../testing/database.ts'

test('drafts saved before drafts had legs keep every choice', async () => {
  const { database, drop } = await testDatabase()
  const owner = await buildManager(database, { parent: await buildAdmin(database) })
  const [sender, template, account, smsTemplate] = [newId(), newId(), newId(), newId()]
  const save = async (channel: string, draft: object) => {
    const id = newId()
    await database.ownerPool.query(
      `insert into campaigns (organization_id, id, path, name, channel, created_by, draft) values ($1, $2, $3, 'Diwali', $4, $5, $6)`,
      [owner.organizationId, id, owner.path, channel, owner.id, JSON.stringify({ campaignName: 'Diwali', ...draft })],
    )
    return id
  }
  const variables = [{ column: 1, fallback: 'you' }]
  const conditions = [{ type: 'undelivered_after', afterSeconds: 600 }]
  const sms = await save('sms', { smsAccountId: sender, templateId: template, variables })
  const whatsapp = await save('whatsapp', {
    waba_id: '1001',
    numberId: sender,
    templateId: template,
    values: { body: variables },
    smsFailover: true,
    smsFailoverConditions: conditions,
    smsAccountId: account,
    smsTemplate,
    smsCustomParams: variables,
    splitOverDays: true,
  })
  const empty = await save('sms', {})

  const migration = await readFile(new URL('migrations/0043_draft_legs.sql', import.meta.url), 'utf8')
  await database.ownerPool.query(migration)
  await database.ownerPool.query(migration)

  const { rows } = await database.ownerPool.query<{ id: string; draft: unknown }>('select id, draft from campaigns')
  const drafts = new Map(rows.map(({ id, draft }) => [id, CampaignDraft.parse(draft)]))
  const smsLeg = { channel: 'sms', isEnabled: true, entryConditions: [] }
  expect(drafts.get(sms)).toMatchObject({
    splitOverDays: false,
    legs: [{ ...smsLeg, senderId: sender, templateId: template, values: { variables } }],
  })
  expect(drafts.get(whatsapp)).toMatchObject({
    splitOverDays: true,
    legs: [
      { channel: 'whatsapp', senderId: sender, templateId: template, values: { body: variables }, entryConditions: [] },
      { channel: 'sms', senderId: account, templateId: smsTemplate, isEnabled: true, entryConditions: conditions },
    ],
  })
  expect(drafts.get(empty)).toMatchObject({ legs: [{ ...smsLeg, senderId: null, templateId: null }] })
  await drop()
})
