import { maximumTtlSeconds } from '@carillon/contract/public-message-records'
import { separate, type Place } from '../../../lib/smpp/parts.ts'
import { decodeShortMessage, type Address, type ShortMessage } from '../../../lib/smpp/requests.ts'
import { statuses } from '../../../lib/smpp/statuses.ts'
import { readSmppTime } from '../../../lib/smpp/times.ts'
import { tlvText } from '../../../lib/smpp/tlv.ts'

/** What all parts of a message have in common. */
export type SubmittedMessage = {
  source: Address
  destination: Address
  dataCoding: number
  sendAt?: string
  ttlSeconds?: number
  entityId?: string
  dltTemplateId?: string
}

export type Submit = {
  message: SubmittedMessage
  /** Undefined if the text is whole. */
  place: Place | undefined
  octets: Buffer
  /** 0: no receipt, 1: a receipt, 2: if it fails, 3: if it is delivered. */
  registered: number
}

const dltEntityTag = 0x1400
const dltTemplateTag = 0x1401

/** GSM 03.38 with a byte for each character, ASCII, Latin-1 and UCS-2. */
const codings: ReadonlySet<number> = new Set([0, 1, 3, 8])
/** A text has 4096 characters at most. */
const mostParts = 64
const mostPartOctets = 255

/** The submit, or the command_status that refuses it. */
export function readSubmit(body: Buffer, now: Date): Submit | number {
  const pdu = decodeShortMessage(body)
  if (!pdu) return statuses.invalidCommandLength
  const { source, destination, dataCoding, esmClass, tlvs } = pdu
  // Modes and types other than a message that is stored and forwarded.
  if ((esmClass & 0x3c) !== 0 || (esmClass & 0x03) === 1 || (esmClass & 0x03) === 2) return statuses.invalidEsmClass
  if (!codings.has(dataCoding)) return statuses.invalidCoding
  const { place, octets } = separate(pdu)
  const length = checkLength({ place, octets, dataCoding })
  if (length !== statuses.ok) return length
  const times = readTimes(pdu, now)
  if (typeof times === 'number') return times
  const entityId = tlvText(tlvs.get(dltEntityTag))
  const dltTemplateId = tlvText(tlvs.get(dltTemplateTag))
  if (![entityId, dltTemplateId].every(isDltId)) return statuses.invalidTlv
  const message = {
    source,
    destination,
    dataCoding,
    ...times,
    ...(entityId && { entityId }),
    ...(dltTemplateId && { dltTemplateId }),
  }
  return { message, place, octets, registered: pdu.registeredDelivery & 0x03 }
}

function isDltId(id: string | undefined): boolean {
  return id === undefined || /^\d{0,30}$/.test(id)
}

function checkLength({ place, octets, dataCoding }: Pick<Submit, 'place' | 'octets'> & { dataCoding: number }): number {
  const isWhole = dataCoding !== 8 || place !== undefined || octets.length % 2 === 0
  const isTooLong = place !== undefined && (place.total > mostParts || octets.length > mostPartOctets)
  return octets.length === 0 || !isWhole || isTooLong ? statuses.invalidLength : statuses.ok
}

type Times = Pick<SubmittedMessage, 'sendAt' | 'ttlSeconds'>

const leastTtlSeconds = 60

/** A validity that is longer than possible is shortened. */
function readTimes({ scheduleDeliveryTime, validityPeriod }: ShortMessage, now: Date): Times | number {
  const sendAt = scheduleDeliveryTime === '' ? undefined : readSmppTime(scheduleDeliveryTime, now)
  if (scheduleDeliveryTime !== '' && !sendAt) return statuses.invalidSchedule
  const times: Times = sendAt ? { sendAt: sendAt.toISOString() } : {}
  if (validityPeriod === '') return times
  const until = readSmppTime(validityPeriod, now)
  if (!until) return statuses.invalidExpiry
  const begin = sendAt !== undefined && sendAt > now ? sendAt : now
  const seconds = Math.floor((until.getTime() - begin.getTime()) / 1000)
  if (seconds < leastTtlSeconds) return statuses.invalidExpiry
  return { ...times, ttlSeconds: Math.min(seconds, maximumTtlSeconds) }
}
