import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { channelHandlers } from '../channels/calls.ts'
import { inScope, type Db } from '../db/pool.ts'
import type { ApiKeyActor, UserActor } from '../actor.ts'
import type { Intake } from '../http/admit.ts'
import type { Client } from '../http/client.ts'
import { createDiskGuard } from '../http/disk-guard.ts'
import { mountDocs } from '../http/docs.ts'
import { measureCalls, mountHealth } from '../http/health.ts'
import { mountMcp } from '../http/mcp/mount-mcp.ts'
import { mountContract } from '../http/mount.ts'
import { createProviderSlots } from '../http/provider-slots.ts'
import { createHttpServer } from '../http/server.ts'
import { createUploadSlots } from '../http/upload-slots.ts'
import { accountHandlers } from '../modules/accounts/index.ts'
import {
  apiKeyHandlers,
  authenticateKey,
  countCall,
  forgetKeysBelow,
  isKeyText,
  isKnownKey,
} from '../modules/api-keys/index.ts'
import { audienceHandlers } from '../modules/audience/index.ts'
import { sendingRulesHandlers } from '../modules/sending-rules/index.ts'
import { authenticate, accessHandlers, authHandlers, checkOwnPassword, forgetBelow } from '../modules/auth/index.ts'
import { balanceHandlers, billingHandlers } from '../modules/balance/index.ts'
import { brandHandlers } from '../modules/brands/index.ts'
import {
  campaignChangeHandlers,
  campaignHandlers,
  discardCampaign,
  replyHandlers,
  resumeBelow,
  stopBelow,
  unifiedCampaignHandlers,
  waitForSilenceBelow,
} from '../modules/campaigns/index.ts'
import {
  contactHandlers,
  conversationLineHandlers,
  conversationReadHandlers,
  inboxSettingsHandlers,
  joinAsAgent,
  liveAgentHandlers,
  conversationVerbHandlers,
  releaseHeld,
  followMoved,
} from '../modules/conversations/index.ts'
import { assertStorage, fileHandlers } from '../modules/files/index.ts'
import { createTargets, linkHandlers, mountLinks } from '../modules/links/index.ts'
import { mailHandlers, mountMailbox } from '../modules/mails/index.ts'
import { messageHandlers } from '../modules/messages/index.ts'
import { notificationHandlers } from '../modules/notifications/index.ts'
import { usersHandlers } from '../modules/users/index.ts'
import { reportHandlers } from '../modules/reports/index.ts'
import { reportFileHandlers } from '../modules/report-files/index.ts'
import { reportScheduleHandlers } from '../modules/report-schedules/index.ts'
import { requestHandlers } from '../modules/request-log/index.ts'
import { restoreHandlers, type RestoreGuard } from '../modules/restores/index.ts'
import { savedViewHandlers } from '../modules/saved-views/index.ts'
import { senderHandlers } from '../modules/senders/index.ts'
import { supportHandlers } from '../modules/support/index.ts'
import { familyHandlers } from '../modules/templates/index.ts'
import { eventHandlers, webhookHandlers } from '../modules/webhooks/index.ts'
import { smppCredentialHandlers, type SmppServer } from '../modules/smpp-server/index.ts'
import { checkCall, createSendCalls, otpHandlers, publicMessageHandlers } from '../modules/public-api/index.ts'
import { providerQueryDeps } from './links.ts'
import type { Services } from './services.ts'

/** Every call of the contract with its handler, and the few pages besides. */
export async function createHttp(
  services: Services,
  { guard, registry, smpp }: { guard: RestoreGuard; registry: Registry; smpp: SmppServer | undefined },
): Promise<FastifyInstance> {
  const { config, database, clock, files, sessions, apiKeys, temporaryDirectory } = services
  const http = await createHttpServer({
    logger: services.logger,
    webDirectory: services.webDirectory,
    trustProxy: config.TRUST_PROXY,
    requestsPerSecond: config.REQUESTS_PER_SECOND,
    isKnownKey: (token, address) => isKnownKey(apiKeys, token, address),
  })
  mountHealth(http, { ...services, dataDirectory: config.dataDirectory, sendingNotice: guard.notice, registry })
  measureCalls(http, registry)
  const audience = { store: files, temporaryDirectory }
  const canMail = config.demo || config.SMTP_URL !== undefined
  const { forget, ...callers } = callersOf(services)
  mountContract(http, {
    database,
    temporaryDirectory,
    intake: createIntake(services),
    providerSlots: createProviderSlots(),
    ...callers,
    handlers: {
      ...authHandlers({ ...services, ...sessions, canMail }),
      ...accessHandlers({ ...services, ...sessions, canMail }),
      ...notificationHandlers,
      ...savedViewHandlers,
      ...accountHandlers({ ...services, checkOwnPassword, canMail, forget, onModulesRevoked: releaseHeld }),
      ...usersHandlers({
        ...services,
        canMail,
        forget,
        sending: sendingOf(services),
        onInvitationAccepted: joinAsAgent,
        onMoved: followMoved,
      }),
      ...balanceHandlers,
      ...billingHandlers({ openFile: files.open, clock }),
      ...fileHandlers(files),
      ...brandHandlers({ files, reservedHost: config.PUBLIC_URL && new URL(config.PUBLIC_URL).hostname }),
      ...senderHandlers,
      ...channelHandlers({
        ...providerQueryDeps(services),
        clock,
        audience,
        files,
        publicUrl: services.publicUrl,
        config,
        demoAccount: config.demo ? services.demoAccount : undefined,
      }),
      ...familyHandlers,
      ...audienceHandlers(audience),
      ...sendingRulesHandlers,
      ...linkHandlers(services),
      ...messageHandlers,
      ...campaignHandlers({ clock, audience, publicUrl: services.publicUrl }),
      ...campaignChangeHandlers({ clock, audience }),
      ...unifiedCampaignHandlers({ clock }),
      ...replyHandlers,
      ...liveAgentHandlers({ ...services, canMail, forget }),
      ...inboxSettingsHandlers,
      ...reportsOf(services),
      ...conversationReadHandlers,
      ...conversationLineHandlers(files),
      ...conversationVerbHandlers(services),
      ...contactHandlers,
      ...apiKeyHandlers(apiKeys),
      ...webhookHandlers(services),
      ...eventHandlers(services),
      ...publicApiOf(services, smpp),
      ...supportHandlers,
      ...mailHandlers({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, hasMailbox: config.demo }),
      ...restoreHandlers({ clock, cancelCampaign: discardCampaign }),
    },
  })
  await mountPages(http, services, callers)
  return http
}

/** What is not a call of the contract. */
async function mountPages(
  http: FastifyInstance,
  services: Services,
  callers: Omit<ReturnType<typeof callersOf>, 'forget'>,
) {
  const { config, database, clock, version } = services
  await mountLinks(http, {
    keys: services.linkKeys,
    findTarget: createTargets(database),
    clicks: services.clicks,
    clock,
  })
  await mountMcp(http, { ...callers, version, logger: services.logger })
  await mountDocs(http, version)
  if (config.demo) await mountMailbox(http, database)
}

function reportsOf(services: Services) {
  const { clock, files, config } = services
  return {
    ...reportHandlers({ clock }),
    ...reportFileHandlers({ clock, store: files, retentionDays: config.RETENTION_DAYS }),
    ...reportScheduleHandlers(services),
  }
}

/** Where customers connect. Before it listens, and in processes that do not, the port is the setting. */
function smppServiceOf({ config, publicUrl }: Services, smpp: SmppServer | undefined) {
  const port = smpp?.port() ?? config.SMPP_PORT
  return port === undefined ? null : { host: new URL(publicUrl()).hostname, port }
}

function publicApiOf(services: Services, smpp: SmppServer | undefined) {
  const { clock } = services
  const check = (call: Parameters<typeof checkCall>[1]) => checkCall(services, call)
  return {
    ...publicMessageHandlers({ accept: createSendCalls(services), check, clock }),
    ...otpHandlers(services),
    ...requestHandlers(services),
    ...smppCredentialHandlers({ ...services, smppService: () => smppServiceOf(services, smpp) }),
  }
}

/** Sessions and API keys. */
function callersOf({ sessions, apiKeys, requestLog }: Services) {
  return {
    authenticate: async (token: string, { ip }: Client) =>
      isKeyText(token) ? authenticateKey(apiKeys, token, ip) : authenticate(sessions, token),
    noteCall: requestLog.note,
    countCall: (actor: UserActor, apiKey: ApiKeyActor, client: Client) => countCall(apiKeys, actor, { apiKey, client }),
    forget(path: string) {
      forgetBelow(sessions, path)
      forgetKeysBelow(apiKeys, path)
    },
  }
}

/** Effects on sending when accounts are suspended or reactivated. */
function sendingOf({ database }: Services) {
  return {
    async stop(db: Db, change: Parameters<typeof stopBelow>[1]) {
      await stopBelow(db, change)
      await releaseHeld(db, change.path)
    },
    resume: resumeBelow,
    waitForSilence: (path: string) => waitForSilenceBelow(database, path),
  }
}

function createIntake({ config, database, readFreeShare }: Services): Intake {
  return {
    disk: createDiskGuard({ directory: config.dataDirectory, read: readFreeShare }),
    slots: createUploadSlots(),
    assertStorage: ({ accountId, scope }, bytes) =>
      inScope(database, scope, (db) => assertStorage(db, accountId, bytes)),
  }
}
