import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { findChannelSetting, saveChannelSetting } from './channel-settings.ts'

/** Long enough for a lane not to ask for each message, short enough for a change to apply without reopening it. */
const cachedMs = 5_000

/** Stores settings of the whole installation that contain secrets, encrypted as a whole. */
export async function saveInstallationSettings(
  db: Db,
  { key, settings, secretBox }: { key: string; settings: object; secretBox: SecretBox },
): Promise<void> {
  const sealed = secretBox.seal({ settings: JSON.stringify(settings) }, placeOf(key))
  await saveChannelSetting(db, key, { sealed: sealed.toString('base64') })
}

/** Undefined if nothing is stored. Throws if the settings cannot be decrypted. */
export async function findInstallationSettings(
  db: Db,
  { key, secretBox }: { key: string; secretBox: SecretBox },
): Promise<unknown> {
  const sealed: unknown = Object(await findChannelSetting(db, key)).sealed
  if (typeof sealed !== 'string') return undefined
  const { settings = 'null' } = secretBox.open(Buffer.from(sealed, 'base64'), placeOf(key))
  return JSON.parse(settings) ?? undefined
}

const placeOf = (key: string) => ({ table: 'system_state', organizationId: '', id: key })

/** Reads for providers, which ask for each message. */
export function createInstallationSettings(deps: { database: Database; secretBox: SecretBox }) {
  const cached = new Map<string, { at: number; settings: Promise<unknown> }>()
  return (key: string): Promise<unknown> => {
    const known = cached.get(key)
    if (known && performance.now() - known.at < cachedMs) return known.settings
    const settings = asSystem(deps.database, (db) => findInstallationSettings(db, { key, ...deps }))
    cached.set(key, { at: performance.now(), settings })
    settings.catch(() => cached.delete(key))
    return settings
  }
}
