import { channelEffects } from '../channels/calls.ts'
import { callbackUrl } from '../http/webhooks.ts'
import { Problem } from '../lib/problem.ts'
import { followTemplate, resumeConnection } from '../modules/campaigns/index.ts'
import { findSingleOutcome, wakeLanes } from '../modules/messages/index.ts'
import { loadConnection, type AskDeps, type TestDeps } from '../modules/senders/index.ts'
import { enqueueTemplateSync, type OnTemplateStatus } from '../modules/templates/index.ts'
import type { Services } from './services.ts'

/** Dependencies for queries to a provider. */
export function asked({ secretBox, egress, clock, publicUrl }: Services): AskDeps {
  return { secretBox, callbackUrl: (key) => callbackUrl(publicUrl(), key), io: { egress, clock } }
}

/** Pauses and resumes campaigns when their template's status changes. */
export const onTemplateStatus: OnTemplateStatus = (db, news) => followTemplate(db, news)

/** Dependencies of the connection's test message. */
export const testing: TestDeps = {
  ...channelEffects,
  findOutcome: (db, organizationId, id) => findSingleOutcome(db, { organizationId, id }),
  wakeLanes,
  onConnectionRestored: resumeConnection,
  readTemplates: enqueueTemplateSync,
}

/** The provider account of a sender, for inbound messages; undefined if its secrets cannot be decrypted. */
export async function openSenderLine(services: Services, key: { organizationId: string; senderId: string }) {
  const connections = { ...asked(services), database: services.database }
  const connection = await loadConnection(connections, key).catch((error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  const media = connection?.provider.manage?.(connection.config, services).media
  return connection?.lineId !== undefined && media ? { media, lineId: connection.lineId } : undefined
}
