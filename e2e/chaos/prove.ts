import type { Database } from '@carillon/server/db/pool'
import { createLogger } from '@carillon/server/lib/logger'
import { listMismatches, proveFigures } from '@carillon/server/modules/messages/index'

/** Figures of reports that differ from the messages or the ledger. */
export async function findWrongFigures({ systemPool }: Database): Promise<string[]> {
  await proveFigures(systemPool, { logger: createLogger('silent'), all: true })
  return (await listMismatches(systemPool)).map((mismatch) => `figures differ: ${JSON.stringify(mismatch)}`)
}
