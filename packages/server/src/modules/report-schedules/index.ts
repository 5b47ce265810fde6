/** Reports that are prepared regularly and delivered by mail, to S3 or to a webhook, with a log of their deliveries. */
export { reportScheduleHandlers } from './handlers.ts'
export { reportScheduleCron, reportScheduleJobs } from './jobs.ts'
export { noteMailAttempt } from './record-attempt.ts'
export { startDeliveries } from './start-deliveries.ts'
