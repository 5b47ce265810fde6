import type { LimitKey } from '@carillon/contract/limits'
import { asSystem, inScope, type Database } from '../../../db/pool.ts'
import { buildAdmin, buildManager, type Account } from '../../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { buildSender } from '../test-lane.ts'
import { acceptSingles } from './accept-singles.ts'
import { sendSingle } from './send-single.ts'
import type { AcceptedSingle, SingleAnswer, SingleSend } from './single-send.ts'

/** An organization that sends SMS at 10 paise a part, and the admin above it. */
export type Shop = { admin: Account; manager: Account; senderId: string }

export const partPrice = 1000

export async function buildShop(
  database: Database,
  { parent, admin, units = 0 }: { parent?: Account; admin?: Account; units?: number } = {},
): Promise<Shop> {
  const issuer = admin ?? (await buildAdmin(database))
  const manager = await buildManager(database, { parent: parent ?? issuer })
  await setSmsPrice(database, manager, partPrice)
  if (units > 0) await issueTo(database, { admin: issuer, account: manager, units })
  return { admin: issuer, manager, senderId: await buildSender(database, manager) }
}

export type Wanted = Partial<SingleSend> & { from?: Account; /** Of the text. */ parts?: number }

/** A message of an account of the shop; of the manager by default. */
export function singleOf({ manager, senderId }: Shop, { from = manager, parts = 1, ...more }: Wanted = {}): SingleSend {
  return {
    organizationId: manager.organizationId,
    accountId: from.id,
    path: from.path,
    senderId,
    kind: 'api',
    channel: 'sms',
    phoneNumber: '+919876500001',
    header: 'ACMEIN',
    text: parts === 1 ? 'Your code is 1234' : 'x'.repeat(153 * parts),
    category: 'transactional',
    ...more,
  }
}

const scopeOf = ({ organizationId, path }: Account) => ({ organizationId, path, descends: false })

/** In one transaction of the manager. */
export function acceptAll(
  database: Database,
  { manager }: Shop,
  sends: readonly SingleSend[],
): Promise<SingleAnswer[]> {
  return inScope(database, scopeOf(manager), (db) => acceptSingles(db, sends))
}

export function sendOne(database: Database, { manager }: Shop, send: SingleSend): Promise<AcceptedSingle> {
  return inScope(database, scopeOf(manager), (db) => sendSingle(db, send))
}

/** `accepted`, or the code of the refusal. */
export function fatesOf(answers: readonly SingleAnswer[]): string[] {
  return answers.map((answer) => ('refused' in answer ? answer.refused.code : 'accepted'))
}

export async function setLimit(
  database: Database,
  { organizationId, id }: Account,
  limits: Partial<Record<LimitKey, number>>,
): Promise<void> {
  await asSystem(database, (db) =>
    db
      .insertInto('account_limits')
      .values(
        Object.entries(limits).map(([key, value]) => ({
          organization_id: organizationId,
          account_id: id,
          key,
          value,
          set_by: id,
        })),
      )
      .execute(),
  )
}
