import type { reportFileEndpoints } from '@carillon/contract/report-files'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FileStore } from '../files/index.ts'
import { deleteReport } from './delete-report.ts'
import { estimateReport } from './estimate-report.ts'
import { downloadReport, getReportDetails, listReports } from './read-reports.ts'
import { requestReport } from './request-report.ts'

export type ReportFileDeps = { clock: Clock; store: FileStore; retentionDays: number }

export function reportFileHandlers({
  clock,
  store,
  retentionDays,
}: ReportFileDeps): Handlers<typeof reportFileEndpoints> {
  return {
    'reportFiles.generate': ({ db, actor, input }) =>
      requestReport(db, { actor, request: { ...input.path, ...input.body } }),
    'reportFiles.estimate': ({ db, actor, input }) =>
      estimateReport(db, { actor, request: input.query, retentionDays, now: clock.now() }),
    'reportFiles.list': ({ db, actor, input }) => listReports(db, { actor, query: input.query }),
    'reportFiles.details': ({ db, actor, input }) => getReportDetails(db, { actor, id: input.path.id }),
    'reportFiles.download': ({ db, actor, input }) => downloadReport(db, store, { actor, id: input.path.id }),
    'reportFiles.delete': async (call) => {
      const { id } = call.input.path
      const key = await deleteReport(call.db, { actor: call.actor, id })
      // The nightly sweep deletes what remains.
      if (key) call.afterCommit(() => store.remove(key).catch(() => undefined))
      return { reportId: id }
    },
  }
}
