import type { Db } from '../../db/pool.ts'
import { findTakenNames } from '../accounts/index.ts'

/** A free username derived from an e-mail address. */
export async function inventUsername(db: Db, email: string): Promise<string> {
  const base = (email.split('@')[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z\d._-]/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 30)
  const stem = base.length >= 3 ? base : `${base}user`.slice(0, 30)
  for (let tries = 0; tries < 20; tries += 1) {
    const candidate =
      tries === 0
        ? stem
        : `${stem}-${Math.floor(Math.random() * 36 ** 4)
            .toString(36)
            .padStart(4, '0')}`
    if (!(await findTakenNames(db, { username: candidate, email: undefined })).username) return candidate
  }
  return `${stem}-${Date.now().toString(36)}`
}
