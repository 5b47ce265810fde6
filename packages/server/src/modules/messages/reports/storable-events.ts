import { truncate } from '@carillon/contract/text'
import { createHash } from 'node:crypto'
import type {
  InboundMessage,
  ProviderEvent,
  ReportMatch,
  RevokeOutcome,
  SendOutcome,
} from '../../../channels/provider.ts'
import { isStorableText, storableJson, storableText } from '../../../lib/storable.ts'

const longestId = 200
const longestAddress = 64
const longestWord = 300
const longestCode = 64
const longestRaw = 16_000
const longestContent = 256_000
const oldestMs = 10 * 366 * 86_400_000
const newestMs = 86_400_000

/** A provider event with everything removed that the database rejects. Returns the same event if nothing has to change. */
export function storableEvent<Event extends ProviderEvent>(event: Event): Event {
  if (event.kind === 'delivery-report' && isStorableReport(event)) return event
  const cleaned = storableJson(event)
  const same = { ...cleaned, raw: truncate(cleaned.raw, longestRaw), at: storableInstant(cleaned.at) }
  if (same.kind === 'delivery-report') return { ...same, ...storableReport(same) }
  return same.kind === 'inbound-message' ? { ...same, ...storableInbound(same) } : same
}

type Report = Extract<ProviderEvent, { kind: 'delivery-report' }>

/** True for most reports. Checks only their texts, because there may be thousands a second. */
function isStorableReport({ raw, at, providerMessageIds, reference, match, code, detail }: Report): boolean {
  return (
    isStorable(raw, longestRaw) &&
    isPossible(at) &&
    providerMessageIds.every(isStorableId) &&
    (reference === undefined || isStorableText(reference)) &&
    (code === undefined || isStorable(code, longestWord)) &&
    (detail === undefined || isStorable(detail, longestWord)) &&
    (match === undefined || isStorableMatch(match))
  )
}

const isStorable = (text: string, longest: number) => text.length <= longest && isStorableText(text)
const isStorableId = (id: string) => isStorable(id, longestId)
const isStorableAddress = (address: string) => isStorable(address, longestAddress)

function isStorableMatch({ numbers, submittedAt }: ReportMatch): boolean {
  return numbers.every(isStorableAddress) && !Number.isNaN(submittedAt?.getTime())
}

function storableReport({ providerMessageIds, match, code, detail }: Report) {
  return {
    ...(match === undefined ? {} : { match: storableMatch(match) }),
    providerMessageIds: providerMessageIds.map(storableId),
    ...(code === undefined ? {} : { code: truncate(code, longestWord) }),
    ...(detail === undefined ? {} : { detail: truncate(detail, longestWord) }),
  }
}

function storableMatch({ numbers, submittedAt, ...match }: ReportMatch): ReportMatch {
  const isInstant = submittedAt !== undefined && !Number.isNaN(submittedAt.getTime())
  return {
    ...match,
    numbers: numbers.map((number) => truncate(number, longestAddress)),
    ...(isInstant ? { submittedAt } : {}),
  }
}

function storableInbound({ from, to, dedupeKey, inReplyTo, identity, content }: InboundMessage) {
  return {
    from: truncate(from, longestAddress),
    to: truncate(to, longestAddress),
    dedupeKey: storableId(dedupeKey),
    ...(inReplyTo === undefined ? {} : { inReplyTo: storableId(inReplyTo) }),
    ...(identity === undefined ? {} : { identity: storableIdentity(identity) }),
    ...(content === undefined ? {} : { content: storableContent(content) }),
  }
}

function storableIdentity({ id, alias, name, username }: NonNullable<InboundMessage['identity']>) {
  return {
    id: storableId(id),
    ...(alias === undefined ? {} : { alias: storableId(alias) }),
    ...(name === undefined ? {} : { name: truncate(name, longestWord) }),
    ...(username === undefined ? {} : { username: truncate(username, longestWord) }),
  }
}

function storableContent(content: NonNullable<InboundMessage['content']>) {
  return JSON.stringify(content).length <= longestContent ? content : { type: content.type, tooLong: true }
}

/** Index keys have a maximum length. A longer id is replaced by its hash, which is as unique, wherever it is read. */
export function storableId(id: string): string {
  return id.length <= longestId ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`
}

/** An outcome with everything removed that the database rejects. */
export function storableOutcome(outcome: SendOutcome): SendOutcome {
  return outcome.kind === 'accepted' ? outcome : { ...outcome, ...storableError(outcome) }
}

export function storableRevocation(outcome: RevokeOutcome): RevokeOutcome {
  return outcome.kind === 'retry' || outcome.kind === 'refused' ? { ...outcome, ...storableError(outcome) } : outcome
}

function storableError({ code, detail }: { code: string; detail: string }) {
  return {
    code: truncate(storableText(code), longestCode),
    detail: truncate(storableText(detail), longestWord),
  }
}

/** The time of arrival, in place of an impossible time. */
function storableInstant(at: Date): Date {
  return isPossible(at) ? at : new Date()
}

function isPossible(at: Date): boolean {
  const age = Date.now() - at.getTime()
  return age < oldestMs && age > -newestMs
}
