import { asSystem } from '../db/pool.ts'
import type { EventOf, EventType } from '../events/domain-events.ts'
import { consumeEvents } from '../events/event-queue.ts'
import { openEventFeed } from '../events/follow-events.ts'
import { hasRoom } from '../http/disk-guard.ts'
import { startJobs } from '../jobs/run-jobs.ts'
import { runEvery } from '../lib/background.ts'
import { authCron, authJobs } from '../modules/auth/index.ts'
import { apiKeyCron, apiKeyJobs } from '../modules/api-keys/index.ts'
import { audienceCron, audienceJobs, resumeAudiences } from '../modules/audience/index.ts'
import { balanceCron, balanceJobs } from '../modules/balance/index.ts'
import {
  campaignCron,
  campaignJobs,
  createAudienceProgress,
  followLine,
  followSender,
  followTemplate,
  noteEngineStep,
  resumeConnection,
  resumeLine,
  resumeValidations,
  watchProgress,
} from '../modules/campaigns/index.ts'
import {
  agentCron,
  agentJobs,
  assignAfter,
  createConversationPushes,
  createViewerPushes,
  pushItems,
  pushMessages,
  createPresence,
  viewerSweepMs,
  conversationCron,
  conversationJobs,
  notifyOfMessages,
} from '../modules/conversations/index.ts'
import { fileCron, fileJobs } from '../modules/files/index.ts'
import { linkCron, linkJobs } from '../modules/links/index.ts'
import { mailCron, mailJobs } from '../modules/mails/index.ts'
import {
  advanceSingles,
  findSingleOutcome,
  inboundCron,
  inboundJobs,
  proofCron,
  proofJobs,
  startHousekeeping,
  startSender,
  type Sender,
} from '../modules/messages/index.ts'
import { announceNotifications, notificationCron, notificationJobs } from '../modules/notifications/index.ts'
import { userJobs } from '../modules/users/index.ts'
import { openRestoreGuard, type RestoreGuard } from '../modules/restores/index.ts'
import {
  accountCron,
  accountJobs,
  clearSenderFailure,
  loadConnection,
  recordConnectionFailure,
} from '../modules/senders/index.ts'
import { templateCron, templateJobs } from '../modules/templates/index.ts'
import {
  createWebhookConsumer,
  keepDays,
  startDelivering,
  webhookCron,
  webhookJobs,
} from '../modules/webhooks/index.ts'
import { publicApiCron, publicApiJobs } from '../modules/public-api/index.ts'
import { consumeStatuses, createSmppServer, smppCron, smppJobs, type SmppServer } from '../modules/smpp-server/index.ts'
import { reportFileCron, reportFileJobs } from '../modules/report-files/index.ts'
import {
  noteMailAttempt,
  reportScheduleCron,
  reportScheduleJobs,
  startDeliveries,
} from '../modules/report-schedules/index.ts'
import { sandboxCron, sandboxJobs } from '../modules/sandbox/index.ts'
import { checkEveryMs } from '../realtime/session-checks.ts'
import type { EventSink } from './event-sink.ts'
import { openReceipts, openSenderLine, providerQueryDeps, readFile } from './links.ts'
import type { Services } from './services.ts'

export type Role = { stop(): Promise<void> }

/** Pushes events of all processes to the browsers connected to this one. */
export function startPushing(services: Services): Role[] {
  const { database, realtime, logger } = services
  const hasListeners = () => realtime.connections() > 0
  const progress = watchProgress({ ...services, announce: realtime.progress, organizations: realtime.organizations })
  const announceAudience = createAudienceProgress(database, realtime.progress)
  const feed = openEventFeed(services)
  const push = <Type extends EventType>(type: Type, handle: (events: EventOf<Type>[]) => Promise<void>) =>
    feed.follow(type, async (events) => (hasListeners() ? handle(events) : undefined))

  push('campaign.changed', async (events) => progress.look(events.flatMap(({ subjectIds }) => subjectIds)))
  push('campaign.clicked', async (events) => progress.look(events.flatMap(({ subjectIds }) => subjectIds)))
  push('audience.changed', announceAudience)
  push('notification.added', (events) => announceNotifications(database, events, realtime.notification))
  const viewers = createViewerPushes(services)
  push('message.received', (events) => pushMessages(services, events))
  push('conversation.changed', createConversationPushes(services))
  push('thread.changed', (events) => pushItems(services, events))
  push('viewers.changed', viewers.handle)
  const sweep = runEvery(viewerSweepMs, viewers.sweep, { name: 'finding who left a conversation', logger })
  const presence = runEvery(checkEveryMs, createPresence({ database, accounts: realtime.accounts }), {
    name: 'recording connected agents',
    logger,
  })
  return [progress, feed, presence, sweep]
}

/** The server for customers' SMPP, if this process has one. It does not listen yet. */
export function createSmpp(services: Services): SmppServer | undefined {
  const { config, readFreeShare } = services
  if (!config.roles.has('web') || config.SMPP_PORT === undefined) return undefined
  return createSmppServer({ ...services, hasRoom: () => hasRoom(config.dataDirectory, readFreeShare) })
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
  const { database, databaseUrl, logger } = services
  const connections = { ...providerQueryDeps(services), database }
  return startSender({
    database,
    databaseUrl,
    logger,
    io: connections.io,
    loadConnection: async (lane) => ({
      ...(await loadConnection(connections, lane)),
      readFile: (id) => readFile(services, { organizationId: lane.organizationId, id }),
    }),
    applyEvents,
    guard,
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

const cron = [
  ...mailCron,
  ...authCron,
  ...balanceCron,
  ...audienceCron,
  ...campaignCron,
  ...notificationCron,
  ...accountCron,
  ...templateCron,
  ...inboundCron,
  ...proofCron,
  ...fileCron,
  ...apiKeyCron,
  ...agentCron,
  ...conversationCron,
  ...linkCron,
  ...webhookCron,
  ...sandboxCron,
  ...publicApiCron,
  ...smppCron,
  ...reportFileCron,
  ...reportScheduleCron,
]

export async function startWorker(services: Services): Promise<Role[]> {
  const { database, clock, logger, files, temporaryDirectory, config } = services
  const audience = { database, store: files, temporaryDirectory }
  const jobs = await startJobs({
    pool: database.ownerPool,
    handlers: [
      ...mailJobs({
        database,
        smtpUrl: config.SMTP_URL,
        from: config.MAIL_FROM,
        storesLinks: services.storesMailLinks ?? (config.demo && config.SMTP_URL === undefined),
        publicUrl: services.publicUrl,
        onAttempt: noteMailAttempt,
      }),
      ...authJobs({ database }),
      ...fileJobs({ database, store: files }),
      ...audienceJobs({
        ...audience,
        onSettled: resumeValidations,
      }),
      ...balanceJobs({ database, clock }),
      ...campaignJobsOf(services),
      ...notificationJobs({ database }),
      ...accountJobs({
        ...providerQueryDeps(services),
        database,
        logger,
        findOutcome: findSingleOutcome,
        onConnectionRestored: resumeConnection,
        onLineTrouble: followLine,
        onLineRecovery: resumeLine,
      }),
      ...templateJobs({ ...providerQueryDeps(services), database, logger, onTemplateStatus: followTemplate }),
      ...proofJobs({ pool: database.systemPool, logger }),
      ...inboundJobs({
        database,
        store: files,
        logger,
        openLine: (line) => openSenderLine(services, line),
        hasRoom: () => hasRoom(config.dataDirectory, services.readFreeShare),
      }),
      ...userJobs({ database }),
      ...apiKeyJobs({ database }),
      ...agentJobs({ database, logger }),
      ...conversationJobs({
        database,
        logger,
        publicUrl: services.publicUrl,
        openReceipts: (line) => openReceipts(services, line),
      }),
      ...sandboxJobs({ database }),
      ...publicApiJobs({ database }),
      ...smppJobs({ database }),
      ...reportJobsOf(services),
      ...linkJobs({ database, clock, retentionDays: config.RETENTION_DAYS }),
      ...webhookJobs({ database, clock, retentionDays: config.RETENTION_DAYS }),
    ],
    cron,
    logger,
  })
  await resumeAudiences({ database })
  const feed = openEventFeed(services)
  feed.follow('conversation.changed', (events) => assignAfter({ database, logger }, events))
  feed.follow('message.received', (events) => notifyOfMessages(database, events))
  feed.follow('agent.changed', (events) => assignAfter({ database, logger }, events))
  const housekeeping = startHousekeeping({
    pool: database.systemPool,
    logger,
    onCampaignDrained: (campaign) => noteEngineStep(database, campaign, 'completed'),
    retentionDays: config.RETENTION_DAYS,
  })
  const legs = runEvery(1000, () => advanceSingles(database, logger), { name: 'sending legs of single sends', logger })
  return [jobs, housekeeping, legs, feed, ...(await startWebhooks(services))]
}

function reportJobsOf(services: Services) {
  const { database, clock, logger, files, config, readFreeShare } = services
  return [
    ...reportFileJobs({
      database,
      store: files,
      clock,
      logger,
      retentionDays: config.RETENTION_DAYS,
      hasRoom: () => hasRoom(config.dataDirectory, readFreeShare),
      onFinished: startDeliveries,
    }),
    ...reportScheduleJobs({ ...services, store: files }),
  ]
}

function campaignJobsOf(services: Services) {
  const { database, clock, config, linkKeys: keys, publicUrl } = services
  return campaignJobs({
    ...providerQueryDeps(services),
    database,
    clock,
    links: { keys, publicUrl },
    batchSize: config.REACH_BATCH,
  })
}

/** Turns events into deliveries to customers' endpoints, and sends them. */
async function startWebhooks(services: Services): Promise<Role[]> {
  const { config, database } = services
  await keepDays(database, config.RETENTION_DAYS)
  const events = consumeEvents({
    ...services,
    consumers: { webhooks: createWebhookConsumer(services), smpp: consumeStatuses },
  })
  return [startDelivering(services), events]
}
