import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'

type Own = Record<'mark' | 'report', string>

/** A report that failed, so that it has no file on the disk. */
export async function addReport(db: Db, { id, organizationId, path }: Account, own: Own): Promise<void> {
  await db
    .insertInto('reports')
    .values({
      organization_id: organizationId,
      id: own.report,
      path,
      scope_path: path,
      account_id: id,
      type: 'campaign_summary',
      name: `Report ${own.mark}`,
      channel: 'all',
      first_day: '2026-11-01',
      last_day: '2026-11-07',
      timezone: 'Asia/Kolkata',
      format: 'csv',
      status: 'failed',
      error: `The report of ${own.mark} could not be prepared.`,
      request_key: own.report,
      place: 0,
    })
    .execute()
}

const span = () => ({ from: '2026-11-01', to: '2026-11-07', channel: 'all', campaignId: newId() })

export const reportFileSamples = {
  'reportFiles.generate': () => ({ path: span(), body: {} }),
  'reportFiles.estimate': () => ({ query: span() }),
}
