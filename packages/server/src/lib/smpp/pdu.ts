import { decodeTlvs, type Tlvs } from './tlv.ts'

export const command = {
  bindReceiver: 0x0000_0001,
  bindTransmitter: 0x0000_0002,
  querySm: 0x0000_0003,
  submitSm: 0x0000_0004,
  deliverSm: 0x0000_0005,
  unbind: 0x0000_0006,
  replaceSm: 0x0000_0007,
  cancelSm: 0x0000_0008,
  bindTransceiver: 0x0000_0009,
  enquireLink: 0x0000_0015,
  submitMulti: 0x0000_0021,
  dataSm: 0x0000_0103,
  genericNack: 0x8000_0000,
} as const

/** Set in the command id of every response. */
export const answerBit = 0x8000_0000
export const headerLength = 16
/** No PDU we send or accept is larger: message_payload is at most 64 KB and the rest is small. */
export const longestPdu = 65_536 + 1024
/** Sequence numbers run from 1 to this value and start over. */
export const lastSequence = 0x7fff_ffff

export type Pdu = {
  commandId: number
  status: number
  sequence: number
  /** The body after the header. */ body: Buffer
}

export function encodePdu({ commandId, status, sequence, body }: Pdu): Buffer {
  const bytes = Buffer.allocUnsafe(headerLength + body.length)
  writeHeader(bytes, commandId)
  bytes.writeUInt32BE(status, 8)
  bytes.writeUInt32BE(sequence, 12)
  body.copy(bytes, headerLength)
  return bytes
}

/** A request: status 0, and no sequence number yet. */
export function writeHeader(frame: Buffer, commandId: number): void {
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(commandId, 4)
  frame.writeUInt32BE(0, 8)
  frame.writeUInt32BE(0, 12)
}

/** Sets the sequence number of an encoded PDU. */
export function setSequence(frame: Buffer, sequence: number): void {
  frame.writeUInt32BE(sequence, 12)
}

/** Bytes, then NUL. Strings in SMPP's fields are at most Latin-1. */
export function cString(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(`${text}\0`, 'latin1')
}

/** Reads the NUL-terminated string at `start`; `end` is the position after the NUL. */
export function readCString(bytes: Buffer, start: number): { text: string; end: number } {
  const nul = bytes.indexOf(0, start)
  const stop = nul === -1 ? bytes.length : nul
  return { text: bytes.toString('latin1', start, stop), end: Math.min(stop + 1, bytes.length) }
}

export type BindRequest = { systemId: string; password: string; systemType: string }

/** Interface version 3.4; no address range: the SMSC knows which numbers are ours. */
export function encodeBindBody({ systemId, password, systemType }: BindRequest): Buffer {
  return Buffer.concat([
    cString(systemId),
    cString(password),
    cString(systemType),
    Buffer.from([0x34, 0, 0]),
    cString(''),
  ])
}

/** The fields that deliver_sm and data_sm share: a receipt or a person's message. */
export type Delivered = {
  from: string
  to: string
  esmClass: number
  dataCoding: number
  shortMessage: Buffer
  tlvs: Tlvs
}

/** Undefined if the body is truncated. */
export function decodeDelivered(commandId: number, body: Buffer): Delivered | undefined {
  const serviceType = readCString(body, 0)
  const from = readCString(body, serviceType.end + 2)
  const to = readCString(body, from.end + 2)
  return commandId === command.dataSm ? decodeDataTail(body, { from, to }) : decodeDeliverTail(body, { from, to })
}

type Addresses = Record<'from' | 'to', { text: string; end: number }>

/** esm_class, registered_delivery, data_coding; the text is in message_payload. */
function decodeDataTail(body: Buffer, { from, to }: Addresses): Delivered | undefined {
  const esmClass = body[to.end]
  const dataCoding = body[to.end + 2]
  if (esmClass === undefined || dataCoding === undefined) return undefined
  const tlvs = decodeTlvs(body, to.end + 3)
  return { from: from.text, to: to.text, esmClass, dataCoding, shortMessage: Buffer.alloc(0), tlvs }
}

/** esm_class, protocol_id, priority, two times, registered_delivery, replace, data_coding, default id, length, text, TLVs. */
function decodeDeliverTail(body: Buffer, { from, to }: Addresses): Delivered | undefined {
  const esmClass = body[to.end]
  const schedule = readCString(body, to.end + 3)
  const validity = readCString(body, schedule.end)
  const dataCoding = body[validity.end + 2]
  const length = body[validity.end + 4]
  if (esmClass === undefined || dataCoding === undefined || length === undefined) return undefined
  const start = validity.end + 5
  if (start + length > body.length) return undefined
  const shortMessage = body.subarray(start, start + length)
  return { from: from.text, to: to.text, esmClass, dataCoding, shortMessage, tlvs: decodeTlvs(body, start + length) }
}
