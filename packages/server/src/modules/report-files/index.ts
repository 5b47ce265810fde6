/** Report files: requested, prepared by a job, downloaded, and deleted after a time. */
export { reportFileHandlers } from './handlers.ts'
export { reportFileCron, reportFileJobs } from './jobs.ts'
export { reportFormats } from './file-formats.ts'
export { findReport } from './read-reports.ts'
export { assertType } from './may-request.ts'
export { assertFormat, findCampaign, requestReport } from './request-report.ts'
