import { buffer } from 'node:stream/consumers'
import type { ManagedFile } from '../channels/management.ts'
import { asSystem } from '../db/pool.ts'
import { endRequestsOn } from '../egress/egress.ts'
import { callbackUrl } from '../http/webhooks.ts'
import { Problem } from '../lib/problem.ts'
import { getFile, openStored } from '../modules/files/index.ts'
import { loadConnection, type ProviderQueryDeps } from '../modules/senders/index.ts'
import type { Services } from './services.ts'

/** Dependencies for queries to a provider. */
export function providerQueryDeps({
  secretBox,
  egress,
  clock,
  publicUrl,
  readInstallationSettings,
}: Services): ProviderQueryDeps {
  return {
    secretBox,
    callbackUrl: (key) => callbackUrl(publicUrl(), key),
    io: { egress, clock, readInstallationSettings },
  }
}

/** A file of an organisation with its content; not found if it is gone. */
export async function readFile(
  { database, files }: Services,
  key: { organizationId: string; id: string },
): Promise<ManagedFile> {
  const { name, mime_type: mimeType, storage_key } = await asSystem(database, (db) => getFile(db, key))
  return { name, mimeType, bytes: await buffer(await openStored(files, storage_key)) }
}

type LineOfJob = { organizationId: string; senderId: string; signal: AbortSignal }

/** The provider account of a sender, for inbound messages; undefined if its secrets cannot be decrypted. */
export async function openSenderLine(services: Services, line: LineOfJob) {
  const opened = await openLine(services, line)
  const media = opened?.manage?.media
  return opened && media ? { media, lineId: opened.lineId } : undefined
}

/** Sends read receipts for messages to a sender, if its provider has them. */
export async function openReceipts(services: Services, line: LineOfJob) {
  const opened = await openLine(services, line)
  const markRead = opened?.manage?.lines?.markRead
  return opened && markRead && ((id: string) => markRead(opened.lineId, { id, isTyping: false }))
}

async function openLine(services: Services, { signal, ...key }: LineOfJob) {
  const connections = { ...providerQueryDeps(services), database: services.database }
  const connection = await loadConnection(connections, key).catch((error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  const io = { ...services, egress: endRequestsOn(signal, services.egress) }
  return connection?.lineId === undefined
    ? undefined
    : { lineId: connection.lineId, manage: connection.provider.manage?.(connection.config, io) }
}
