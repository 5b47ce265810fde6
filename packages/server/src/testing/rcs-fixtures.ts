import { createHash } from 'node:crypto'
import { factsOfBot } from '../channels/rcs/bot-line.ts'
import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'
import { sampleBot } from './rcs-samples.ts'

type Own = {
  mark: string
  rcsBot: string
  rcsRequest: string
  rcsTemplate: string
  botImage: string
}

/** A launched bot, a request for another, an image of theirs and a template draft. */
export async function addRcs(
  db: Db,
  { id: created_by, organizationId: organization_id }: Account,
  own: Own,
): Promise<void> {
  const by = { organization_id, created_by }
  const details = { name: `Acme ${own.mark}`, brandName: own.mark, description: `Orders of ${own.mark}` }
  const account = newId()
  const launches = [{ country: 'IN', carrier: 'All', state: 'launched' as const, at: null, note: '' }]
  const botId = await addBotAccount(db, { organization_id, id: account, mark: own.mark })
  await db
    .insertInto('senders')
    .values({
      ...by,
      id: own.rcsBot,
      provider_account_id: account,
      channel: 'rcs',
      name: details.name,
      headers: [details.name],
      external_id: botId,
      registered_at: new Date(),
      facts: JSON.stringify(
        factsOfBot({ botId, name: details.name }, { verification: 'verified', launches, useCase: 'multi_use' }),
      ),
    })
    .execute()
  for (const [id, state] of [
    [own.rcsBot, 'created'],
    [own.rcsRequest, 'requested'],
  ] as const)
    await db
      .insertInto('rcs_bots')
      .values({ organization_id, id, state, details: JSON.stringify(details), requested_by: created_by })
      .execute()
  await db
    .insertInto('templates')
    .values({
      ...by,
      id: own.rcsTemplate,
      channel: 'rcs',
      name: `greeting_${own.mark.toLowerCase()}_${own.rcsTemplate}`,
      status: 'DRAFT',
      category: 'TRANSACTION',
      language: '',
      content: JSON.stringify({ type: 'text_message', textMessageContent: `All is well at ${own.mark}.` }),
    })
    .execute()
  await db
    .insertInto('files')
    .values({
      ...by,
      id: own.botImage,
      purpose: 'bot_image',
      channel: 'rcs',
      name: `logo ${own.mark}.png`,
      mime_type: 'image/png',
      size_bytes: 1,
      sha256: createHash('sha256').digest(),
      storage_key: `00/${newId()}`,
    })
    .execute()
}

/** Returns the bot's id at its provider. Sample calls use the organisation's first bot. */
async function addBotAccount(
  db: Db,
  { organization_id, id, mark }: { organization_id: string; id: string; mark: string },
): Promise<string> {
  const taken = await db
    .selectFrom('provider_accounts')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('external_id', '=', sampleBot)
    .executeTakeFirst()
  const botId = taken ? `bot_${id}` : sampleBot
  await db
    .insertInto('provider_accounts')
    .values({
      organization_id,
      id,
      channel: 'rcs',
      provider: 'dotgo',
      name: `RCS ${mark}`,
      external_id: botId,
      config: JSON.stringify({ botId }),
      callback_key: newId(),
    })
    .execute()
  return botId
}
