import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { forgetFile } from '../files/index.ts'
import type { ReportInScope } from './read-reports.ts'

/** Returns the key of its file, whose bytes may be deleted after the commit. A run that prepares it notices. */
export async function deleteReport(db: Db, { actor, id }: ReportInScope): Promise<string | undefined> {
  const gone = await db
    .deleteFrom('reports')
    .where('id', '=', id)
    .where(within(actor.scope))
    .returning(['organization_id', 'file_id', 'name', 'status'])
    .executeTakeFirst()
  if (!gone) throw notFound('Report')
  const { organization_id: organizationId, file_id: fileId, name, status } = gone
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'report.deleted',
    object: { type: 'report', id },
    details: { name, status },
  })
  return fileId === null ? undefined : forgetFile(db, { organizationId, id: fileId })
}
