import { sql } from 'kysely'
import { RcsPartner, rcsPartnerKey } from '../channels/rcs/partner.ts'
import { asSystem, type Database, type Db } from '../db/pool.ts'
import type { SecretBox } from '../lib/secrets.ts'
import { findInstallationSettings, saveInstallationSettings } from '../modules/senders/index.ts'
import { buildCast, demoPassword, hashDemoPassword, type Cast } from './cast.ts'
import { addMoney } from './money.ts'
import { beginStory } from './story-progress.ts'
import { addSupport } from './support.ts'
import { addTree } from './tree.ts'
import { addSingleDays, addUsage } from './usage.ts'

export const demoLogins = `Sign in as admin, reseller, manager, department-head, user or manager2, all with the password ${demoPassword}`

const stateKey = 'demo'

/** Fills an empty database with the demo accounts and last week's counts; false if there are accounts. */
export async function seedDemo(database: Database): Promise<boolean> {
  const passwordHash = await hashDemoPassword()
  return asSystem(database, async (db) => {
    // Another process may be filling it.
    await sql`select pg_advisory_xact_lock(hashtext('carillon.demo'))`.execute(db)
    if (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) return false
    const cast = await buildCast(db, passwordHash)
    await sql`insert into system_state (key, value) values (${stateKey}, ${JSON.stringify({ seededAt: new Date() })}::jsonb)`.execute(
      db,
    )
    await beginStory(db)
    await addPastDays(db, cast)
    await addTree(db, cast, passwordHash)
    await addSupport(db, cast)
    await addUsage(db)
    await addSingleDays(db)
    await addMoney(db, cast)
    return true
  })
}

type SimulatorAddress = { smscPort: number; graphUrl: string; rbmUrl: string }

/**
 * The simulator's ports may change with every start; demo accounts connected to it are updated. An account is the
 * simulator's only if it uses the address of the previous start.
 */
export async function pointDemoAtSimulator(
  database: Database,
  now: SimulatorAddress,
  secretBox: SecretBox,
): Promise<void> {
  await asSystem(database, async (db) => {
    const { rows } = await sql<{ last: SimulatorAddress | null }>`
      select value -> 'simulator' as last from system_state where key = ${stateKey} for update`.execute(db)
    const last = rows[0]?.last
    if (last) {
      await sql`update provider_accounts set config = jsonb_set(config, '{graphUrl}', to_jsonb(${now.graphUrl}::text))
        where config ->> 'graphUrl' = ${last.graphUrl} and ${last.graphUrl !== now.graphUrl}`.execute(db)
      await sql`update provider_accounts set config = jsonb_set(config, '{port}', to_jsonb(${now.smscPort}::int))
        where config ->> 'host' = '127.0.0.1' and config ->> 'port' = ${String(last.smscPort)}
          and ${last.smscPort !== now.smscPort}`.execute(db)
      if (last.rbmUrl !== now.rbmUrl) await movePartner(db, { from: last.rbmUrl, to: now.rbmUrl, secretBox })
    }
    await sql`update system_state set value = jsonb_set(value, '{simulator}', ${JSON.stringify(now)}::jsonb)
      where key = ${stateKey}`.execute(db)
  })
}

type Move = { from: string; to: string; secretBox: SecretBox }

/** The partner account with the simulated Google: the service account stays, its addresses move. */
async function movePartner(db: Db, { from, to, secretBox }: Move): Promise<void> {
  const stored = RcsPartner.safeParse(await findInstallationSettings(db, { key: rcsPartnerKey, secretBox })).data
  if (stored?.apiUrl !== from) return
  const moved = JSON.stringify(stored).replaceAll(`"${from}`, `"${to}`)
  await saveInstallationSettings(db, { key: rcsPartnerKey, settings: RcsPartner.parse(JSON.parse(moved)), secretBox })
}

/** Daily counts for the dashboard before the demo was created. */
async function addPastDays(db: Db, { manager }: Cast) {
  const submitted = [9120, 14480, 11960, 26410, 18300, 41200]
  for (const [index, count] of submitted.entries()) {
    const failed = Math.round(count * 0.034)
    await sql`
      insert into daily_counters (organization_id, account_id, day, channel, submitted, sent, delivered, failed, replied, parts, cost)
      select organization_id, id, local_day(now(), timezone) - ${submitted.length - index}::int, 'sms',
        ${count}::bigint, ${Math.round(count * 0.004)}::bigint, ${count - failed - Math.round(count * 0.004)}::bigint, ${failed}::bigint, ${Math.round(count * 0.003)}::bigint, ${Math.round(count * 1.04)}::bigint, ${Math.round(count * 1.04) * 1250}::bigint
      from accounts where id = ${manager.id}::uuid`.execute(db)
  }
}
