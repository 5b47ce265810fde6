/**
 * Notifications of an account, stored until read and pushed immediately to open sessions. The module where an event occurs
 * decides whether to notify.
 */
export { announceNotifications } from './announce-notifications.ts'
export { notificationHandlers } from './handlers.ts'
export { notificationCron, notificationJobs, sweepNotifications } from './jobs.ts'
export { notify, type NewNotification } from './notify.ts'
