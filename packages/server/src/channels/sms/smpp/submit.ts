import { randomInt } from 'node:crypto'
import type { SendOutcome } from '../../provider.ts'
import type { SmsMessage } from '../message.ts'
import type { SmppConfig } from './config.ts'
import { command, cString, headerLength, writeHeader } from '../../../lib/smpp/pdu.ts'
import { encodeText, type EncodedText } from './text.ts'
import { encodeTlv, tag } from '../../../lib/smpp/tlv.ts'

export type Submits =
  | { kind: 'frames'; /** One submit_sm for each part, without sequence numbers. */ frames: Buffer[] }
  | { kind: 'impossible'; outcome: SendOutcome }

const longestAddress = 20
const nothing = Buffer.alloc(0)

/** Precomputes what is the same in every submit of an account, and caches what is the same in most. */
export function createSubmitEncoder(config: SmppConfig): (message: SmsMessage, now: Date) => Submits {
  const extra = config.extraTlvs.map(({ tag: name, format, value }) =>
    encodeTlv(Number(name), tlvOctets(format, value)),
  )
  const sourceOf = rememberLast((header: string) => encodeSource(header, config))
  const commonOf = rememberLast((ids: string) => Buffer.concat([...dltTlvs(ids, config), ...extra]))
  let reference = randomInt(0x10000)

  return (message, now) => {
    if (message.expiresAt <= now) return impossible('expired', 'The message expired before sending')
    const source = sourceOf(message.from)
    if (!source) return impossible('header', `A header has at most ${longestAddress} Latin letters or digits`)
    const text = encodeText(message, config)
    if (!text)
      return impossible('character_set', 'The text has characters that this account’s character set cannot encode')

    reference = (reference + 1) & 0xffff
    const common = commonOf(`${message.entityId ?? ''}|${message.dltTemplateId ?? ''}`)
    const tail = encodeTail({ message, text, config, now })
    const joined = joinParts(text, { config, reference })
    return {
      kind: 'frames',
      frames: joined.map((part) => encodeFrame({ source, message, config, tail, common, part })),
    }
  }
}

/** A campaign's messages share these values. */
function rememberLast<Value>(make: (key: string) => Value): (key: string) => Value {
  let last: { key: string; value: Value } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) }
    return last.value
  }
}

function impossible(code: string, detail: string): Submits {
  const reason = code === 'expired' ? 'expired' : 'bad_request'
  return { kind: 'impossible', outcome: { kind: 'rejected', reason, code, detail, scope: 'message' } }
}

/** How a part is linked to the others: a header before its text, or optional parameters after it. */
type Part = { header: Buffer; shortMessage: Buffer; tlvs: Buffer }

function joinParts(
  { parts, isLong }: EncodedText,
  { config, reference }: { config: SmppConfig; reference: number },
): Part[] {
  const [only] = parts
  if (parts.length === 1 && only) {
    if (!isLong) return [{ header: nothing, shortMessage: only, tlvs: nothing }]
    return [{ header: nothing, shortMessage: nothing, tlvs: encodeTlv(tag.messagePayload, only) }]
  }
  return parts.map((shortMessage, index) => {
    const number = index + 1
    if (config.longMessage === 'sar')
      return { header: nothing, shortMessage, tlvs: sarTlvs({ reference, total: parts.length, number }) }
    const reach =
      config.longMessage === 'udh16' ? [6, 8, 4, reference >> 8, reference & 0xff] : [5, 0, 3, reference & 0xff]
    return { header: Buffer.from([...reach, parts.length, number]), shortMessage, tlvs: nothing }
  })
}

function sarTlvs({ reference, total, number }: { reference: number; total: number; number: number }): Buffer {
  return Buffer.concat([
    encodeTlv(tag.sarReference, Buffer.from([reference >> 8, reference & 0xff])),
    encodeTlv(tag.sarTotal, Buffer.from([total])),
    encodeTlv(tag.sarPart, Buffer.from([number])),
  ])
}

/**
 * service_type and the source address with its type: letters are alphanumeric, few digits a short code, many digits an
 * international number. Undefined if it cannot be an address.
 */
function encodeSource(header: string, { sourceTon, sourceNpi }: SmppConfig): Buffer | undefined {
  const isNumber = /^\+?\d+$/.test(header)
  const address = isNumber ? header.replace('+', '') : header
  if (address.length > longestAddress || !/^[\u0020-\u00ff]*$/.test(address)) return undefined
  const guess = !isNumber ? { ton: 5, npi: 0 } : address.length > 8 ? { ton: 1, npi: 1 } : { ton: 3, npi: 0 }
  const ton = sourceTon === 'auto' ? guess.ton : Number(sourceTon)
  const npi = sourceNpi === 'auto' ? guess.npi : Number(sourceNpi)
  return Buffer.concat([Buffer.from([0, ton, npi]), cString(address)])
}

const registeredDelivery: Record<SmppConfig['registeredDelivery'], number> = { never: 0, always: 1, 'on-failure': 2 }

type TailInput = { message: SmsMessage; text: EncodedText; config: SmppConfig; now: Date }

/** protocol_id to sm_default_msg_id, as Latin-1: everything between esm_class and the text's length. */
function encodeTail({ message, text, config, now }: TailInput): string {
  const { ttlSeconds = config.validityMinutes === undefined ? undefined : config.validityMinutes * 60 } = message
  const validity = ttlSeconds === undefined ? '' : validityPeriod(message.expiresAt, ttlSeconds, now)
  return `\0\0\0${validity}\0${String.fromCharCode(registeredDelivery[config.registeredDelivery], 0, text.dataCoding, 0)}`
}

/** Relative, because the SMSC's clock may differ: YYMMDDhhmmss000R. Never beyond the message's expiry. */
function validityPeriod(expiresAt: Date, ttlSeconds: number, now: Date): string {
  const seconds = Math.max(60, Math.min(ttlSeconds, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)))
  const two = (value: number) => String(value).padStart(2, '0')
  const days = Math.floor(seconds / 86_400)
  return `0000${two(days)}${two(Math.floor(seconds / 3600) % 24)}${two(Math.floor(seconds / 60) % 60)}${two(seconds % 60)}000R`
}

function dltTlvs(ids: string, config: SmppConfig): Buffer[] {
  if (!config.dlt) return []
  const [entityId, templateId] = ids.split('|')
  const wanted: [string, string | undefined][] = [
    [config.dltEntityTag, entityId],
    [config.dltTemplateTag, templateId],
    [config.dltTelemarketerTag, config.dltTelemarketer],
  ]
  const format = config.dltWithNul ? 'text-nul' : 'text'
  return wanted.flatMap(([name, value]) => (value ? [encodeTlv(Number(name), tlvOctets(format, value))] : []))
}

function tlvOctets(format: SmppConfig['extraTlvs'][number]['format'], value: string): Buffer {
  if (format === 'hex') return Buffer.from(value, 'hex')
  return format === 'text-nul' ? cString(value) : Buffer.from(value, 'latin1')
}

type Pieces = { source: Buffer; message: SmsMessage; config: SmppConfig; tail: string; common: Buffer; part: Part }

/** Written into one buffer in a single pass, because this runs for every part sent. */
function encodeFrame({ source, message, config, tail, common, part: { header, shortMessage, tlvs } }: Pieces): Buffer {
  const to = message.to.startsWith('+') ? message.to.slice(1) : message.to
  const textLength = header.length + shortMessage.length
  const length =
    headerLength + source.length + 2 + to.length + 2 + tail.length + 1 + textLength + tlvs.length + common.length
  const frame = Buffer.allocUnsafe(length)
  writeHeader(frame, command.submitSm)
  let at = headerLength
  frame.set(source, at)
  at += source.length
  frame[at] = Number(config.destinationTon)
  frame[at + 1] = Number(config.destinationNpi)
  at += 2 + frame.write(to, at + 2, 'latin1')
  frame[at] = 0
  frame[at + 1] = header.length > 0 ? 0x40 : 0
  at += 2 + frame.write(tail, at + 2, 'latin1')
  frame[at] = textLength
  at += 1
  for (const piece of [header, shortMessage, tlvs, common]) {
    frame.set(piece, at)
    at += piece.length
  }
  return frame
}
