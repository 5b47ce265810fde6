import { z } from 'zod'
import type { Provider, RevokeOutcome, RevokeRequest, SendOutcome } from '../../channels/provider.ts'
import type { SmsMessage } from '../../channels/sms/message.ts'
import type { Database } from '../../db/pool.ts'
import { asSystem } from '../../db/pool.ts'
import { createEgress } from '../../egress/egress.ts'
import { systemClock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { createLogger } from '../../lib/logger.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { issue, placeHold } from '../balance/index.ts'
import { applyProviderEvents } from './reports/apply-provider-events.ts'
import type { LaneKey } from './engine/chunks.queries.ts'
import { completeFinished } from './housekeeping/complete-finished.ts'
import { planCampaign } from './engine/plan-campaign.ts'
import { startSender, type Sender, type SenderDependencies } from './engine/sender.ts'

/** An in-process provider with scripted responses and a log of sent messages. */
export type FakeProvider = {
  provider: Provider<unknown>
  /** Everything handed over, in order. */
  handedOver: SmsMessage[]
  answer(message: SmsMessage): SendOutcome | Promise<SendOutcome>
  /** Everything that it was asked to revoke, in order. */
  revoked: RevokeRequest[]
  answerRevoke(request: RevokeRequest): RevokeOutcome | Promise<RevokeOutcome>
}

export const accept = ({ reference }: SmsMessage): SendOutcome => ({
  kind: 'accepted',
  providerMessageIds: [`p-${reference}`],
})

/** How long the fake provider's reports may take, if it revokes messages. */
export const graceSeconds = 10

/** With `revokes` its ids follow from our references as well. */
export function fakeProvider({ window = 1000, idempotent = false, revokes = false } = {}): FakeProvider {
  const fake: FakeProvider = {
    handedOver: [],
    answer: accept,
    revoked: [],
    answerRevoke: () => ({ kind: 'requested' }),
    provider: {
      channel: 'sms',
      name: 'fake',
      label: 'Fake',
      description: 'Answers as a test wants',
      config: z.unknown(),
      presets: [],
      idempotent: () => idempotent,
      ...(revokes && { messageIdOf: (reference) => `p-${reference}`, revokes: { graceSeconds } }),
      connect: () => ({
        window,
        state: () => ({ ready: true, binds: [], lastError: undefined }),
        close: () => Promise.resolve(),
        send(batch, onOutcome) {
          // The channel is SMS: only its compiler makes these messages.
          const messages = batch as readonly SmsMessage[]
          fake.handedOver.push(...messages)
          for (const [index, message] of messages.entries())
            Promise.resolve(fake.answer(message)).then(
              (outcome) => onOutcome(index, outcome),
              (error: unknown) => onOutcome(index, { kind: 'unknown', code: 'broken', detail: String(error) }),
            )
        },
        ...(revokes && {
          revoke(batch, onRevoked) {
            fake.revoked.push(...batch)
            for (const [index, request] of batch.entries())
              Promise.resolve(fake.answerRevoke(request)).then(
                (outcome) => onRevoked(index, outcome),
                () => undefined,
              )
          },
        }),
      }),
    },
  }
  return fake
}

export type TestSenderOptions = {
  provider: FakeProvider
  ratePerSecond?: number
  /** Runs before a connection is loaded; if it throws, the connection is not loaded. */
  beforeConnecting?: (lane: LaneKey) => Promise<void>
} & Partial<Pick<SenderDependencies, 'chunksAtOnce' | 'maximumLanes' | 'timing' | 'guard'>>

/** A sender process of a test. */
export function startTestSender(
  { database, url }: { database: Database; url: string },
  { provider, ratePerSecond = Number.POSITIVE_INFINITY, beforeConnecting, ...more }: TestSenderOptions,
): Promise<Sender> {
  return startSender({
    database,
    databaseUrl: url,
    logger: createLogger(process.env['TEST_LOG'] ?? 'silent'),
    io: {
      clock: systemClock,
      egress: createEgress({ allowedPrivate: [], allowedPorts: [], connections: 1 }),
      readInstallationSettings: async () => undefined,
    },
    async loadConnection(lane) {
      await beforeConnecting?.(lane)
      return {
        provider: provider.provider,
        config: {},
        ratePerSecond,
        callbackUrl: '',
        idempotent: provider.provider.idempotent({}),
      }
    },
    async applyEvents(key, events) {
      await applyProviderEvents(database.systemPool, key, events)
    },
    ...more,
  })
}

/** An organisation that can send: its manager, its only sender, and the provider of that sender. */
export async function buildLane(database: Database, provider: Parameters<typeof fakeProvider>[0] = {}) {
  const manager = await buildManager(database)
  return { manager, senderId: await buildSender(database, manager), fake: fakeProvider(provider) }
}

/** Whether a campaign has ended, after completing everything due; on connections that no test breaks. */
export async function isCompleted({ ownerPool }: Database, campaignId: string): Promise<boolean> {
  await completeFinished(ownerPool)
  const { rows } = await ownerPool.query(`select from campaigns where id = $1 and status = 'completed'`, [campaignId])
  return rows.length > 0
}

/** An active SMS sender of the organisation, without a real provider. */
export async function buildSender(
  database: Database,
  { organizationId, id }: Pick<Account, 'organizationId' | 'id'>,
  { ratePerSecond = 1000 } = {},
): Promise<string> {
  const senderId = newId()
  const providerAccountId = newId()
  await database.systemPool.query(
    `insert into provider_accounts (organization_id, id, channel, provider, name, config, callback_key) values ($1, $2, 'sms', 'fake', 'Fake', '{}', $3)`,
    [organizationId, providerAccountId, newId()],
  )
  await database.systemPool.query(
    `insert into senders (organization_id, id, provider_account_id, channel, name, headers, rate_per_second, is_active, created_by)
    values ($1, $2, $3, 'sms', $4, '{ACMEIN}', $5, true, $6)`,
    [organizationId, senderId, providerAccountId, `Sender ${senderId}`, ratePerSecond, id],
  )
  return senderId
}

export type CampaignOptions = {
  owner: Account
  senderId: string
  total: number
  body?: string
  variables?: object[]
  links?: readonly object[]
  price?: number
  billableOn?: 'sent' | 'delivered'
  weight?: number
  chunkSize?: number
  /** 'paused' leaves it planned without sending. */
  status?: 'queued' | 'paused'
}

const firstPhone = 919_800_000_000

export const phoneOf = (seq: number) => firstPhone + seq

/** A started campaign: its recipients loaded, its money reserved, its chunks planned. */
export async function buildCampaign(database: Database, options: CampaignOptions): Promise<string> {
  const {
    owner,
    senderId,
    total,
    body = 'Hello {#var#}',
    variables = [{ column: 0, fallback: '' }],
    links = [],
    price = 1000,
    billableOn = 'sent',
  } = options
  const { organizationId } = owner
  const campaignId = newId()
  const audienceId = newId()
  await loadPeople(database, { owner, audienceId, total })
  await asSystem(database, async (db) => {
    const issuer = { organizationId, accountId: owner.id }
    const amount = total * price * 4
    await issue(db, {
      issuer,
      organizationId,
      accountId: organizationId,
      amount: Math.max(1, amount),
      opKey: newId(),
      reference: 'test',
    })
    const hold = await placeHold(db, {
      organizationId,
      accountId: owner.id,
      amount: total * price,
      opKey: `campaign:${campaignId}`,
    })
    await db
      .insertInto('campaigns')
      .values({
        organization_id: organizationId,
        id: campaignId,
        path: owner.path,
        name: 'Test campaign',
        channel: 'sms',
        status: options.status ?? 'queued',
        audience_id: audienceId,
        total,
        weight: options.weight ?? 1,
        hold_id: hold.id,
        created_by: owner.id,
      })
      .execute()
    const content = JSON.stringify({ header: 'ACMEIN', body, variables, links })
    await db
      .insertInto('campaign_legs')
      .values({
        organization_id: organizationId,
        campaign_id: campaignId,
        leg: 1,
        channel: 'sms',
        sender_id: senderId,
        content,
        price,
        billable_on: billableOn,
      })
      .execute()
    await planCampaign(db, {
      organizationId,
      campaignId,
      leg: 1,
      senderId,
      lo: 0,
      hi: total,
      weight: options.weight ?? 1,
      chunkSize: options.chunkSize ?? 1000,
    })
  })
  return campaignId
}

async function loadPeople(
  database: Database,
  { owner, audienceId, total }: { owner: Account; audienceId: string; total: number },
): Promise<void> {
  await database.ownerPool.query(
    `with file as (
      insert into files (organization_id, id, purpose, name, mime_type, size_bytes, sha256, storage_key, created_by)
      values ($1, $2, 'audience', 'people.csv', 'text/csv', 1, '', '', $3) returning id
    ), audience as (
      insert into audiences (organization_id, id, path, status, file_id, file_name, format, total, accepted, created_by)
      select $1, $2, $4::ltree, 'ready', id, 'people.csv', 'csv', $5::int, $5::int, $3 from file returning id
    )
    insert into recipients (organization_id, audience_id, seq, phone, variables)
    select $1, audience.id, seq, ${firstPhone} + seq, array['Name ' || seq, 'City ' || seq] from audience, generate_series(0, $5::int - 1) seq`,
    [owner.organizationId, audienceId, owner.id, owner.path, total],
  )
}
