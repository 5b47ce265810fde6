import { randomInt } from 'node:crypto'
import type { OutboundMessage, SendOutcome } from '../../provider.ts'
import type { SmppConfig } from './config.ts'
import { command, cString, encodePdu } from './pdu.ts'
import { encodeText, type EncodedText } from './text.ts'
import { encodeTlv, tag } from './tlv.ts'

export type Submits =
  | { kind: 'frames'; /** One submit_sm for each part, still without a sequence number. */ frames: Buffer[] }
  | { kind: 'impossible'; outcome: SendOutcome }

const longestAddress = 20

/** Prepares whatever is the same in every submit of an account. */
export function createSubmitEncoder(config: SmppConfig): (message: OutboundMessage, now: Date) => Submits {
  const extra = config.extraTlvs.map(({ tag: name, format, value }) =>
    encodeTlv(Number(name), tlvOctets(format, value)),
  )
  let reference = randomInt(0x10000)

  return (message, now) => {
    if (message.expiresAt <= now) return impossible('expired', 'The message was no longer worth sending')
    const source = sourceAddress(message.from, config)
    if (source.digits.length > longestAddress)
      return impossible('header', `A header has at most ${longestAddress} characters`)
    const text = encodeText(message.text, config)
    if (!text)
      return impossible('character_set', 'The text has characters that this account’s character set cannot write')

    reference = (reference + 1) & 0xffff
    const head = encodeHead(source, message, config)
    const tail = encodeTail({ message, text, config, now })
    const common = [...dltTlvs(message, config), ...extra]
    return {
      kind: 'frames',
      frames: joinParts(text, { config, reference }).map((part) => encodeFrame({ head, tail, common, part })),
    }
  }
}

function impossible(code: string, detail: string): Submits {
  const reason = code === 'expired' ? 'expired' : 'bad_request'
  return { kind: 'impossible', outcome: { kind: 'rejected', reason, code, detail, scope: 'message' } }
}

type Part = { hasHeader: boolean; shortMessage: Buffer; tlvs: Buffer[] }

function joinParts(
  { parts, isLong }: EncodedText,
  { config, reference }: { config: SmppConfig; reference: number },
): Part[] {
  const [only] = parts
  if (parts.length === 1 && only) {
    if (!isLong) return [{ hasHeader: false, shortMessage: only, tlvs: [] }]
    return [{ hasHeader: false, shortMessage: Buffer.alloc(0), tlvs: [encodeTlv(tag.messagePayload, only)] }]
  }
  return parts.map((octets, index) => {
    const number = index + 1
    if (config.longMessage === 'sar')
      return { hasHeader: false, shortMessage: octets, tlvs: sarTlvs({ reference, total: parts.length, number }) }
    const header =
      config.longMessage === 'udh16' ? [6, 8, 4, reference >> 8, reference & 0xff] : [5, 0, 3, reference & 0xff]
    return {
      hasHeader: true,
      shortMessage: Buffer.concat([Buffer.from([...header, parts.length, number]), octets]),
      tlvs: [],
    }
  })
}

function sarTlvs({ reference, total, number }: { reference: number; total: number; number: number }): Buffer[] {
  return [
    encodeTlv(tag.sarReference, Buffer.from([reference >> 8, reference & 0xff])),
    encodeTlv(tag.sarTotal, Buffer.from([total])),
    encodeTlv(tag.sarPart, Buffer.from([number])),
  ]
}

type Address = { ton: number; npi: number; digits: string }

/** Letters are an alphanumeric header, few digits a short code, many a number with its country. */
function sourceAddress(header: string, { sourceTon, sourceNpi }: SmppConfig): Address {
  const isNumber = /^\+?\d+$/.test(header)
  const digits = isNumber ? header.replace('+', '') : header
  const guess = !isNumber ? { ton: 5, npi: 0 } : digits.length > 8 ? { ton: 1, npi: 1 } : { ton: 3, npi: 0 }
  return {
    digits,
    ton: sourceTon === 'auto' ? guess.ton : Number(sourceTon),
    npi: sourceNpi === 'auto' ? guess.npi : Number(sourceNpi),
  }
}

/** service_type and the two addresses. */
function encodeHead(source: Address, { to }: OutboundMessage, { destinationTon, destinationNpi }: SmppConfig): Buffer {
  return Buffer.concat([
    Buffer.from([0, source.ton, source.npi]),
    cString(source.digits),
    Buffer.from([Number(destinationTon), Number(destinationNpi)]),
    cString(to.replace('+', '')),
  ])
}

const registeredDelivery: Record<SmppConfig['registeredDelivery'], number> = { never: 0, always: 1, 'on-failure': 2 }

type TailInput = { message: OutboundMessage; text: EncodedText; config: SmppConfig; now: Date }

/** protocol_id to sm_default_msg_id: everything between esm_class and the length of the text. */
function encodeTail({ message, text, config, now }: TailInput): Buffer {
  const head = Buffer.from([0, 0, 0])
  const validity = cString(validityPeriod(message.expiresAt, config.validityMinutes, now))
  return Buffer.concat([
    head,
    validity,
    Buffer.from([registeredDelivery[config.registeredDelivery], 0, text.dataCoding, 0]),
  ])
}

/** Relative, since the SMSC's clock is not ours: YYMMDDhhmmss000R. Never longer than the message is worth delivering. */
function validityPeriod(expiresAt: Date, minutes: number | undefined, now: Date): string {
  if (minutes === undefined) return ''
  const seconds = Math.max(60, Math.min(minutes * 60, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)))
  const two = (value: number) => String(value).padStart(2, '0')
  const days = Math.floor(seconds / 86_400)
  return `0000${two(days)}${two(Math.floor(seconds / 3600) % 24)}${two(Math.floor(seconds / 60) % 60)}${two(seconds % 60)}000R`
}

function dltTlvs({ entityId, dltTemplateId }: OutboundMessage, config: SmppConfig): Buffer[] {
  if (!config.dlt) return []
  const wanted: [string, string | undefined][] = [
    [config.dltEntityTag, entityId],
    [config.dltTemplateTag, dltTemplateId],
    [config.dltTelemarketerTag, config.dltTelemarketer || undefined],
  ]
  return wanted.flatMap(([name, value]) =>
    value ? [encodeTlv(Number(name), tlvOctets(config.dltWithNul ? 'text-nul' : 'text', value))] : [],
  )
}

function tlvOctets(format: SmppConfig['extraTlvs'][number]['format'], value: string): Buffer {
  if (format === 'hex') return Buffer.from(value, 'hex')
  return format === 'text-nul' ? cString(value) : Buffer.from(value, 'latin1')
}

type Pieces = { head: Buffer; tail: Buffer; common: Buffer[]; part: Part }

function encodeFrame({ head, tail, common, part }: Pieces): Buffer {
  const esmClass = Buffer.from([part.hasHeader ? 0x40 : 0])
  const length = Buffer.from([part.shortMessage.length])
  const body = Buffer.concat([head, esmClass, tail, length, part.shortMessage, ...part.tlvs, ...common])
  return encodePdu({ commandId: command.submitSm, status: 0, sequence: 0, body })
}
