import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProviderIo } from '../../../channels/provider.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import type { Sender } from './sender.ts'
import { buildCampaign, buildLane, isCompleted, startTestSender, type FakeProvider } from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
let sender: Sender
const failures: unknown[] = []

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 20, owner: 3 })
  ;({ manager, senderId, fake } = await buildLane(opened.database))
})

afterAll(async () => {
  await sender.stop()
  await opened.drop()
})

test('reports that arrive right after the responses find their messages', async () => {
  await opened.database.ownerPool.query(`
    create table stored_early (id text);
    create function note_early() returns trigger language plpgsql as
      $$ begin insert into stored_early values (new.provider_message_id); return new; end $$;
    create trigger noted after insert on early_reports for each row execute function note_early()`)
  reportAtOnce(fake)
  sender = await startTestSender(opened, { provider: fake })
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 500 })
  await until(() => isCompleted(opened.database, campaignId), 'the end')

  const delivered = `select count(*)::int as count from messages where status = 'delivered'`
  await until(async () => (await count(delivered)) === 500, 'every report')
  expect(await count('select count(*)::int as count from stored_early')).toBe(0)
  expect(failures).toEqual([])
})

async function count(statement: string): Promise<number> {
  const { rows } = await opened.database.ownerPool.query<{ count: number }>(statement)
  return rows[0]?.count ?? -1
}

/** Each message is reported as delivered in the turn after its response. */
function reportAtOnce({ provider }: FakeProvider) {
  const { connect } = provider
  provider.connect = (config, io) => {
    const session = connect(config, io)
    return {
      ...session,
      send: (batch, onOutcome) =>
        session.send(batch, (index, outcome) => {
          onOutcome(index, outcome)
          if (outcome.kind === 'accepted') report(io, outcome.providerMessageIds)
        }),
    }
  }
}

function report({ onEvents }: ProviderIo, providerMessageIds: string[]) {
  setImmediate(() => {
    const at = new Date()
    const event = { kind: 'delivery-report' as const, providerMessageIds, status: 'delivered' as const, at, raw: 'id' }
    onEvents([event]).catch((error: unknown) => failures.push(error))
  })
}
