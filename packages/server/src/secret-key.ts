import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/**
 * The key that encrypts providers' secrets: the setting, else one generated at the first start and stored beside the data,
 * readable by its owner only. Without it a backup of the database cannot open any provider account.
 */
export function loadSecretKey({ SECRET_KEY, dataDirectory }: Pick<Config, 'SECRET_KEY' | 'dataDirectory'>): string {
  if (SECRET_KEY) return SECRET_KEY
  const file = join(dataDirectory, 'secret.key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
