import type { Client } from '@carillon/server/demo/client'
import type { Stack } from './stack.ts'

/** Nothing of the demo is read while it moves: what still sends is paused, and no new receipt comes for a while. */
export async function becomeQuiet(
  { database }: Stack,
  { manager, campaigns }: { manager: Client; campaigns: readonly string[] },
) {
  const moved = async () =>
    JSON.stringify((await database.ownerPool.query('select status, count(*) from messages group by 1 order by 1')).rows)
  // What has ended cannot be paused, and moves no more either.
  for (const id of campaigns) await manager.call('smsCampaigns.pause', { path: { id } }).catch(() => undefined)
  for (let before = ''; before !== (before = await moved());) await new Promise((resume) => setTimeout(resume, 3000))
}

/** The cells of one line of a CSV file. */
export function cellsOf(line: string): string[] {
  // With a comma before each cell, an empty one is a match like any other.
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}
