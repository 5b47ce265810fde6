import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'

export type Target = { host: string; url: string }

/** Finds the target of a link by its number; undefined if there is none. */
export type FindTarget = (number: number) => Promise<Target | undefined>

const keptTargets = 10_000
const keptMs = 60_000

/** Looks targets up in the database, and keeps those that were used last for a minute. */
export function createTargets(database: Database): FindTarget {
  const kept = new Map<number, { target: Promise<Target | undefined>; until: number }>()

  function forget(number: number) {
    kept.delete(number)
  }

  return (number) => {
    const now = performance.now()
    const known = kept.get(number)
    if (known && known.until > now) {
      // The last place: the first one is removed.
      kept.delete(number)
      kept.set(number, known)
      return known.target
    }
    const target = readTarget(database, number)
    target.catch(() => forget(number))
    kept.set(number, { target, until: now + keptMs })
    const [oldest] = kept.keys()
    if (kept.size > keptTargets && oldest !== undefined) kept.delete(oldest)
    return target
  }
}

async function readTarget(database: Database, number: number): Promise<Target | undefined> {
  return asSystem(database, async (db) => {
    const { rows } = await sql<Target>`
      select host, url from campaign_links link
      where number = ${number} and may_use_host(link.organization_id, link.host)`.execute(db)
    return rows[0]
  })
}
