/** Report files: requested, prepared by a job, downloaded, and deleted after a time. */
export { reportFileHandlers } from './handlers.ts'
export { reportFileCron, reportFileJobs } from './jobs.ts'
