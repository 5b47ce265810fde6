import type { Client } from '@carillon/server/demo/client'
import type { Stack } from './stack.ts'

/** Stops the demo's activity: pauses running campaigns and waits until no receipts arrive. */
export async function becomeQuiet(
  { database }: Stack,
  { manager, campaigns }: { manager: Client; campaigns: readonly string[] },
) {
  const moved = async () =>
    JSON.stringify((await database.ownerPool.query('select status, count(*) from messages group by 1 order by 1')).rows)
  // Ended campaigns cannot be paused, and do not change.
  for (const id of campaigns) await manager.call('campaigns.pause', { path: { id } }).catch(() => undefined)
  for (let before = ''; before !== (before = await moved());) await new Promise((resume) => setTimeout(resume, 3000))
}

/** The cells of one line of a CSV file. */
export function cellsOf(line: string): string[] {
  // A comma before each cell makes empty cells match.
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}
