import { truncate } from '@carillon/contract/text'
import { isRow } from '../../read-json.ts'
import { Refusal } from '../../management.ts'
import type { ProviderIo, SendOutcome } from '../../provider.ts'
import type { WhatsappContent } from '../message.ts'
import type { CloudApiConfig } from './config.ts'
import { openGraph } from './graph.ts'
import { mediaCalls } from './media.ts'

type Upload = { id: string; expiresAt: Date }

/** An upload is not used in its last hour, because the message may be retried. */
const marginMs = 3_600_000
const mostRemembered = 1000

/** Content with the provider's ids in place of `fileId`, or why it cannot be sent. */
export type Uploads = {
  replace(content: WhatsappContent): Promise<{ content: WhatsappContent } | { outcome: SendOutcome }>
}

/** Uploads our files that messages refer to, each once. Uploads that end in doubt are repeated without harm. */
export function createUploads(config: CloudApiConfig, io: ProviderIo, lineId: string): Uploads {
  const { upload } = mediaCalls(openGraph(config, io.egress), config, io)
  const known = new Map<string, Promise<Upload>>()

  async function uploadOnce(fileId: string): Promise<string> {
    const earlier = known.get(fileId)
    if (earlier) {
      const { id, expiresAt } = await earlier
      if (expiresAt.getTime() - marginMs > io.clock.now().getTime()) return id
    }
    const uploading = readFile(io, fileId).then((file) => upload(lineId, file))
    known.delete(fileId)
    known.set(fileId, uploading)
    const [oldest] = known.keys()
    if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest)
    try {
      return (await uploading).id
    } catch (error) {
      known.delete(fileId)
      throw error
    }
  }

  /** A copy with its files uploaded, at any depth. */
  async function fill(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map(fill))
    if (!isRow(value)) return value
    const { fileId, ...rest } = value
    const entries = await Promise.all(
      Object.entries(rest).map(async ([name, part]): Promise<[string, unknown]> => [name, await fill(part)]),
    )
    return { ...(typeof fileId === 'string' ? { id: await uploadOnce(fileId) } : {}), ...Object.fromEntries(entries) }
  }

  return {
    async replace(content) {
      if (!hasFile(content)) return { content }
      try {
        // The same content, with an id in place of each file.
        return { content: (await fill(content)) as WhatsappContent }
      } catch (error) {
        return { outcome: outcomeOf(error) }
      }
    },
  }
}

/** Whether content refers to one of our files. */
function hasFile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasFile)
  return isRow(value) && (typeof value['fileId'] === 'string' || Object.values(value).some(hasFile))
}

async function readFile(io: ProviderIo, fileId: string) {
  if (!io.readFile) throw new Refusal('Files cannot be sent from here', { code: 'no_files', kind: 'other' })
  try {
    return await io.readFile(fileId)
  } catch {
    throw new Refusal('The file does not exist any more', { code: 'no_file', kind: 'input' })
  }
}

/** Nothing was sent yet. */
function outcomeOf(error: unknown): SendOutcome {
  const isRefusal = error instanceof Refusal
  const [code, detail] = [isRefusal ? error.code : 'FAILED', truncate(isRefusal ? error.message : String(error), 300)]
  if (isRefusal && error.kind === 'credentials')
    return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  if (isRefusal && (error.kind === 'input' || error.kind === 'other'))
    return { kind: 'rejected', reason: 'media_failed', code, detail, scope: 'message' }
  return { kind: 'retry', afterMs: 5_000, reason: 'media_failed', code, detail, throttled: false }
}
