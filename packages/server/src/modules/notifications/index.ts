/**
 * What happened and concerns one account, kept until it was seen and told at once to whoever is signed in.
 * What is worth telling is decided by the module where it happens.
 */
export { announceNotifications } from './announce-notifications.ts'
export { notificationHandlers } from './handlers.ts'
export { notificationCron, notificationJobs, sweepNotifications } from './jobs.ts'
export { notify, type NewNotification } from './notify.ts'
