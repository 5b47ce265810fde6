import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/**
 * The key that seals providers' secrets: the setting, else one made at the first start and kept beside the data, readable by
 * its owner alone. Without it a backup of the database opens no provider account.
 */
export function loadSecretKey({ SECRET_KEY, dataDirectory }: Pick<Config, 'SECRET_KEY' | 'dataDirectory'>): string {
  if (SECRET_KEY) return SECRET_KEY
  const file = join(dataDirectory, 'secret.key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
