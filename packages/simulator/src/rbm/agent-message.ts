import { type MessageReading, readFile } from './message-files.ts'
import { type Agent, type AgentUseCase, type Row, type TrafficType, trafficTypes } from './objects.ts'
import type { RcsContent } from './rcs-content.ts'
import { invalid, RbmError } from './rbm-error.ts'
import { needExactlyOne, needInstant, needRow, needText, readOneOf, requireKnown } from './reading.ts'
import { readRichCard } from './rich-card.ts'
import { readSuggestions } from './suggestions.ts'

export type AgentMessage = {
  content: RcsContent
  expiresAtMs: number | undefined
  trafficType: TrafficType
}

const mostBytes = 250 * 1024
const mostText = 3072
const mostSuggestions = 11
const mostExpiryMs = 15 * 24 * 3_600_000
const mostFiles = 100 * 1024 * 1024

export type Received = { body: Row; size: number; agent: Agent }

/** Reads an AgentMessage; throws the error of the first limit that it exceeds. */
export function readAgentMessage(reading: MessageReading, { body, size, agent }: Received): AgentMessage {
  if (size > mostBytes)
    throw new RbmError('INVALID_ARGUMENT', `The message has ${size} bytes, and at most ${mostBytes} are allowed`)
  requireKnown(body, ['contentMessage', 'messageTrafficType', 'ttl', 'expireTime', ...outputOnly], '')
  return {
    content: readContent(reading, needRow({ row: body, name: 'contentMessage' })),
    expiresAtMs: readExpiry(body),
    trafficType: readTrafficType(body, agent),
  }
}

const outputOnly = ['name', 'sendTime', 'richMessageClassification', 'totalPayloadSizeBytes', 'carrier']
const kinds = ['text', 'richCard', 'contentInfo', 'uploadedRbmFile', 'fileName'] as const

export function readContent(reading: MessageReading, row: Row): RcsContent {
  const path = 'contentMessage'
  requireKnown(row, [...kinds, 'suggestions'], path)
  const kind = needExactlyOne(row, kinds, path)
  const suggestions = readSuggestions(row, { path, most: mostSuggestions })
  if (kind === 'text') return { text: needText({ row, name: 'text', path }, mostText), suggestions }
  const content =
    kind === 'richCard'
      ? readRichCard(reading, needRow({ row, name: 'richCard', path }))
      : { media: readFile(reading, row, path) }
  requireSmallFiles(reading, content)
  return { ...content, suggestions }
}

/** Only the sizes of uploaded files are known. */
function requireSmallFiles({ findFile }: MessageReading, { media, card, carousel }: Partial<RcsContent>) {
  const all = [media, card?.media, ...(carousel?.cards.map((each) => each.media) ?? [])]
  const bytes = all.reduce((sum, each) => sum + (findFile(`files/${each?.fileId}`)?.bytes?.length ?? 0), 0)
  if (bytes > mostFiles)
    throw new RbmError('INVALID_ARGUMENT', `The files have ${bytes} bytes, and at most ${mostFiles} are allowed`)
}

function readExpiry(body: Row): number | undefined {
  if (body.ttl !== undefined && body.expireTime !== undefined)
    throw invalid('ttl', 'and expireTime must not both be given')
  if (body.ttl === undefined && body.expireTime === undefined) return undefined
  const now = Date.now()
  const expiresAtMs = body.ttl === undefined ? needInstant({ row: body, name: 'expireTime' }) : now + readTtl(body)
  if (expiresAtMs <= now) throw invalid('expireTime', 'must be in the future')
  if (expiresAtMs > now + mostExpiryMs) throw invalid(body.ttl === undefined ? 'expireTime' : 'ttl', 'exceeds 15 days')
  return expiresAtMs
}

function readTtl(body: Row): number {
  const seconds = /^(\d+(?:\.\d{1,9})?)s$/.exec(needText({ row: body, name: 'ttl' }))?.[1]
  if (seconds === undefined) throw invalid('ttl', 'must be a duration such as "600s"')
  if (Number(seconds) <= 0) throw invalid('ttl', 'must be positive')
  return Number(seconds) * 1000
}

const defaultTypes: Record<AgentUseCase, TrafficType | undefined> = {
  OTP: 'AUTHENTICATION',
  TRANSACTIONAL: 'TRANSACTION',
  PROMOTIONAL: 'PROMOTION',
  MULTI_USE: undefined,
}

const typesOfAll: readonly TrafficType[] = ['SERVICEREQUEST', 'ACKNOWLEDGEMENT']

function readTrafficType(body: Row, { useCase }: Agent): TrafficType {
  const standard = defaultTypes[useCase]
  const type = readOneOf({ row: body, name: 'messageTrafficType' }, trafficTypes) ?? standard
  if (type === undefined) throw invalid('messageTrafficType', 'is required for an agent of use case MULTI_USE')
  if (standard !== undefined && type !== standard && !typesOfAll.includes(type))
    throw invalid('messageTrafficType', `${type} is not allowed for an agent of use case ${useCase}`)
  return type
}
