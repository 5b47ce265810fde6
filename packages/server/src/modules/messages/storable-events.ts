import { createHash } from 'node:crypto'
import type { InboundMessage, ProviderEvent, ReportMatch } from '../../channels/provider.ts'
import { cutText, storableJson } from '../../lib/storable.ts'

const longestId = 200
const longestAddress = 64
const longestWord = 300
const longestRaw = 16_000
const longestContent = 256_000
const oldestMs = 10 * 366 * 86_400_000
const newestMs = 86_400_000

/** An event from outside with nothing in it that the database refuses. The same event where nothing is to be changed. */
export function storableEvent<Event extends ProviderEvent>(event: Event): Event {
  const cleaned = storableJson(event)
  const raw = cutText(cleaned.raw, longestRaw)
  const at = storableInstant(cleaned.at)
  const same = { ...cleaned, raw, at }
  if (same.kind === 'delivery-report') return { ...same, ...storableReport(same) }
  return same.kind === 'inbound-message' ? { ...same, ...storableInbound(same) } : same
}

type Report = Extract<ProviderEvent, { kind: 'delivery-report' }>

function storableReport({ providerMessageIds, match, code, detail }: Report) {
  return {
    ...(match === undefined ? {} : { match: storableMatch(match) }),
    providerMessageIds: providerMessageIds.map(storableId),
    ...(code === undefined ? {} : { code: cutText(code, longestWord) }),
    ...(detail === undefined ? {} : { detail: cutText(detail, longestWord) }),
  }
}

function storableMatch({ numbers, submittedAt, ...match }: ReportMatch): ReportMatch {
  const isInstant = submittedAt !== undefined && !Number.isNaN(submittedAt.getTime())
  return {
    ...match,
    numbers: numbers.map((number) => cutText(number, longestAddress)),
    ...(isInstant ? { submittedAt } : {}),
  }
}

function storableInbound({ from, to, dedupeKey, inReplyTo, identity, content }: InboundMessage) {
  return {
    from: cutText(from, longestAddress),
    to: cutText(to, longestAddress),
    dedupeKey: storableId(dedupeKey),
    ...(inReplyTo === undefined ? {} : { inReplyTo: storableId(inReplyTo) }),
    ...(identity === undefined ? {} : { identity: storableIdentity(identity) }),
    ...(content === undefined ? {} : { content: storableContent(content) }),
  }
}

function storableIdentity({ id, name, username }: NonNullable<InboundMessage['identity']>) {
  return {
    id: storableId(id),
    ...(name === undefined ? {} : { name: cutText(name, longestWord) }),
    ...(username === undefined ? {} : { username: cutText(username, longestWord) }),
  }
}

function storableContent(content: NonNullable<InboundMessage['content']>) {
  return JSON.stringify(content).length <= longestContent ? content : { type: content.type, tooLong: true }
}

/** Indexes hold keys of limited length. A longer id is replaced with its hash, which is as unique, wherever it is read. */
export function storableId(id: string): string {
  return id.length <= longestId ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`
}

/** The time of arrival in place of a time that nothing can have happened at. */
function storableInstant(at: Date): Date {
  const age = Date.now() - at.getTime()
  return age < oldestMs && age > -newestMs ? at : new Date()
}
