import type { Endpoint } from '@carillon/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DiskGuard } from './disk-guard.ts'
import type { UserActor } from '../actor.ts'
import type { UploadSlots } from './upload-slots.ts'
import { announcedBytes } from './uploads.ts'

/** Checks after authentication and before the body is read. */
export type Intake = {
  disk: DiskGuard
  slots: UploadSlots
  /** Throws if the account's storage limits leave no room for this many bytes. */
  assertStorage(actor: UserActor, bytes: number): Promise<void>
}

export type Admitted = {
  actor: UserActor | undefined
  admittedAt: number
  /** Ends the upload, if it is one. */
  release: () => void
}

type Arrival = { endpoint: Endpoint; request: FastifyRequest; reply: FastifyReply; actor: UserActor | undefined }

/** Rejects a request there is no room for, and counts an upload until its connection closes or its handler ends. */
export async function admit({ endpoint, request, reply, actor }: Arrival, intake: Intake): Promise<Admitted> {
  await intake.disk.assertRoom(endpoint)
  if (!actor || !endpoint.files) return { actor, admittedAt: Date.now(), release: () => undefined }

  const bytes = announcedBytes(endpoint, request)
  const slot = intake.slots.take(actor, bytes)
  try {
    await intake.assertStorage(actor, slot.organizationBytes)
  } catch (error) {
    slot.release()
    throw error
  }
  reply.raw.once('close', slot.release)
  return { actor, admittedAt: Date.now(), release: slot.release }
}
