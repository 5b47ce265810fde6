import { asSystem } from '../db/pool.ts'
import { hasRoom } from '../http/disk-guard.ts'
import { startJobs } from '../jobs/jobs.ts'
import { inBackground } from '../lib/background.ts'
import { authCron, authJobs } from '../modules/auth/index.ts'
import { audienceCron, audienceJobs, resumeAudiences } from '../modules/audience/index.ts'
import { balanceCron, balanceJobs } from '../modules/balance/index.ts'
import {
  announceAudience,
  campaignCron,
  campaignJobs,
  followSender,
  noteEngineStep,
  resumeValidations,
  watchProgress,
} from '../modules/campaigns/index.ts'
import { fileCron, fileJobs } from '../modules/files/index.ts'
import { mailCron, mailJobs } from '../modules/mails/index.ts'
import { inboundCron, inboundJobs, startHousekeeping, startSender, type Sender } from '../modules/messages/index.ts'
import { notificationCron, notificationJobs, watchNotifications } from '../modules/notifications/index.ts'
import { userJobs } from '../modules/users/index.ts'
import { openRestoreGuard, type RestoreGuard } from '../modules/restores/index.ts'
import {
  clearSenderFailure,
  loadConnection,
  recordConnectionFailure,
  whatsappCron,
  whatsappJobs,
} from '../modules/senders/index.ts'
import { templateCron, templateJobs } from '../modules/templates/index.ts'
import type { EventSink } from './callbacks.ts'
import { asked, onTemplateStatus, openSenderLine, testing } from './links.ts'
import type { Services } from './services.ts'

export type Role = { stop(): Promise<void> }

/** Looks for what people with an open browser are to hear. */
export function startWatching(services: Services): Role[] {
  const hasListeners = () => services.realtime.connections() > 0
  return [
    watchProgress({ ...services, announce: services.realtime.progress, hasListeners }),
    watchNotifications({ ...services, announce: services.realtime.notification, hasListeners }),
  ]
}

/** In every process: the first one that starts on a restored database pauses sending for all. */
export async function guardRestores({ database, logger, config }: Services): Promise<RestoreGuard> {
  return openRestoreGuard({
    database,
    logger,
    dataDirectory: config.dataDirectory,
    isEmbedded: config.DATABASE_URL === undefined,
    isSender: config.roles.has('sender'),
    trustsFailover: config.SYNCHRONOUS_FAILOVER,
    isAfterRestore: config.isAfterRestore,
  })
}

export async function startSending(services: Services, applyEvents: EventSink, guard: RestoreGuard): Promise<Sender> {
  const { database, databaseUrl, logger, clock, egress } = services
  const connections = { ...asked(services), database }
  return startSender({
    database,
    databaseUrl,
    logger,
    io: { clock, egress },
    loadConnection: (lane) => loadConnection(connections, lane),
    applyEvents,
    guard,
    // Progress is told from the database, where every process writes (watchProgress).
    onStatusChange: () => undefined,
    onCampaignStarted: (campaign) => noteEngineStep(database, campaign, 'running'),
    onSenderRefused: (refused) =>
      asSystem(database, async (db) => {
        const { canBeChecked } = await recordConnectionFailure(db, refused)
        if (canBeChecked) await followSender(db, { ...refused, stops: 'everything', reason: 'channel_disconnected' })
      }),
    onSenderAccepted: (sender) => asSystem(database, (db) => clearSenderFailure(db, sender)),
    onSenderLimited: (sender) => asSystem(database, (db) => followSender(db, { ...sender, stops: 'everything' })),
  })
}

export async function startWorker(services: Services): Promise<Role[]> {
  const { database, clock, logger, files, temporaryDirectory, realtime, config } = services
  const audience = { database, store: files, temporaryDirectory }
  const jobs = await startJobs({
    pool: database.ownerPool,
    handlers: [
      ...mailJobs({
        database,
        smtpUrl: config.SMTP_URL,
        from: config.MAIL_FROM,
        keepsLinks: services.keepsMailLinks ?? (config.demo && config.SMTP_URL === undefined),
        publicUrl: services.publicUrl,
      }),
      ...authJobs({ database }),
      ...fileJobs({ database, store: files }),
      ...audienceJobs({
        ...audience,
        onProgress: (row) =>
          inBackground(announceAudience(database, row, realtime.progress), { name: 'announcing an audience', logger }),
        onSettled: resumeValidations,
      }),
      ...balanceJobs({ database, clock }),
      ...campaignJobs({ database, clock }),
      ...notificationJobs({ database }),
      ...whatsappJobs({ ...asked(services), ...testing, database, logger, onLineTrouble: followSender }),
      ...templateJobs({ ...asked(services), database, logger, onTemplateStatus }),
      ...inboundJobs({
        database,
        store: files,
        logger,
        openLine: (line) => openSenderLine(services, line),
        hasRoom: () => hasRoom(config.dataDirectory, services.readFreeShare),
      }),
      ...userJobs({ database }),
    ],
    cron: [
      ...mailCron,
      ...authCron,
      ...balanceCron,
      ...audienceCron,
      ...campaignCron,
      ...notificationCron,
      ...whatsappCron,
      ...templateCron,
      ...inboundCron,
      ...fileCron,
    ],
    logger,
    concurrency: 4,
  })
  await resumeAudiences({ database })
  const housekeeping = startHousekeeping({
    pool: database.systemPool,
    logger,
    onStatusChange: () => undefined,
    onCampaignDrained: (campaign) => noteEngineStep(database, campaign, 'completed'),
    retentionDays: config.RETENTION_DAYS,
  })
  return [jobs, housekeeping]
}
