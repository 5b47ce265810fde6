import { pino } from 'pino'
import type { Database } from '../../db/pool.ts'
import { foldCounters } from './housekeeping/fold-counters.ts'
import { listMismatches, proveFigures, type Mismatch } from './proof/prove-figures.ts'

export const silent = pino({ level: 'silent' })

/** Figures that differ from messages and ledger: before what waits is folded, and after. */
export async function findMismatches({ systemPool }: Database): Promise<Mismatch[]> {
  await proveFigures(systemPool, { logger: silent, all: true })
  await foldCounters(systemPool)
  await proveFigures(systemPool, { logger: silent, all: true })
  return listMismatches(systemPool)
}
