/**
 * Encodes and decodes SMPP PDUs, from "Short Message Peer to Peer Protocol Specification v3.4", sections 3 to 5. Shares no code with
 * the product or its simulator, so that a mistake in one codec is not repeated in the other.
 */

/** Section 5.1.2.1. */
export const commandId = {
  genericNack: 0x8000_0000,
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  submitSm: 0x04,
  deliverSm: 0x05,
  unbind: 0x06,
  bindTransceiver: 0x09,
  enquireLink: 0x15,
} as const

export const response = 0x8000_0000

/** Section 5.1.3. */
export const commandStatus = {
  ok: 0x00,
  invalidCommand: 0x03,
  notBound: 0x04,
  bindFailed: 0x0d,
  throttled: 0x58,
} as const

export type Frame = { command: number; status: number; sequence: number; body: Buffer }

const headerOctets = 16
const longestFrame = 70_000

export function writeFrame({ command, status, sequence, body }: Frame): Buffer {
  const header = Buffer.alloc(headerOctets)
  header.writeUInt32BE(headerOctets + body.length, 0)
  header.writeUInt32BE(command, 4)
  header.writeUInt32BE(status, 8)
  header.writeUInt32BE(sequence, 12)
  return Buffer.concat([header, body])
}

/** Splits a byte stream into frames. */
export function frameCutter(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at >= headerOctets) {
      const length = rest.readUInt32BE(at)
      if (length < headerOctets || length > longestFrame) throw new RangeError(`A frame of ${length} octets`)
      if (rest.length - at < length) break
      onFrame({
        command: rest.readUInt32BE(at + 4),
        status: rest.readUInt32BE(at + 8),
        sequence: rest.readUInt32BE(at + 12),
        body: rest.subarray(at + headerOctets, at + length),
      })
      at += length
    }
    rest = rest.subarray(at)
  }
}

function cursor(body: Buffer) {
  let at = 0
  return {
    octet: () => body[at++] ?? 0,
    /** A C-octet string (section 3.1). */
    text() {
      const end = body.indexOf(0, at)
      if (end < 0) throw new RangeError('A string without its NUL')
      const text = body.toString('latin1', at, end)
      at = end + 1
      return text
    },
    octets(count: number) {
      at += count
      return body.subarray(at - count, at)
    },
    rest: () => body.subarray(at),
  }
}

/** Section 4.1: system_id and password, the first two fields of every bind. */
export function readBind(body: Buffer): { systemId: string; password: string } {
  const read = cursor(body)
  return { systemId: read.text(), password: read.text() }
}

export type SubmitSm = {
  from: string
  to: string
  esmClass: number
  /** Whether a receipt is wanted: 1 always, 2 on failure only. */
  registeredDelivery: number
  dataCoding: number
  /** short_message or message_payload, with its user data header. */
  octets: Buffer
  tlvs: Map<number, Buffer>
}

const messagePayload = 0x0424

/** Section 4.4.1. */
export function readSubmit(body: Buffer): SubmitSm {
  const read = cursor(body)
  read.text()
  const [, , from] = [read.octet(), read.octet(), read.text()]
  const [, , to] = [read.octet(), read.octet(), read.text()]
  const [esmClass] = [read.octet(), read.octet(), read.octet()]
  read.text()
  read.text()
  const [registeredDelivery, , dataCoding] = [read.octet(), read.octet(), read.octet(), read.octet()]
  const shortMessage = read.octets(read.octet())
  const tlvs = readTlvs(read.rest())
  const octets = shortMessage.length > 0 ? shortMessage : (tlvs.get(messagePayload) ?? shortMessage)
  return { from, to, esmClass, registeredDelivery, dataCoding, octets, tlvs }
}

/** Section 5.3.1: tag, length, value. */
function readTlvs(octets: Buffer): Map<number, Buffer> {
  const tlvs = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= octets.length; at += 4 + octets.readUInt16BE(at + 2)) {
    tlvs.set(octets.readUInt16BE(at), octets.subarray(at + 4, at + 4 + octets.readUInt16BE(at + 2)))
  }
  return tlvs
}

export function writeTlv(tag: number, value: Buffer): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt16BE(tag, 0)
  header.writeUInt16BE(value.length, 2)
  return Buffer.concat([header, value])
}

export type DeliverSm = { from: string; to: string; esmClass: number; text: string; tlvs: Buffer }

/** Section 4.6.1. */
export function writeDeliver({ from, to, esmClass, text, tlvs }: DeliverSm): Buffer {
  const shortMessage = Buffer.from(text, 'latin1')
  return Buffer.concat([
    Buffer.from([0]),
    writeAddress(from),
    writeAddress(to),
    Buffer.from([esmClass, 0, 0, 0, 0, 0, 0, 0, 0, shortMessage.length]),
    shortMessage,
    tlvs,
  ])
}

/** Type and plan of the number, then the number. */
function writeAddress(address: string): Buffer {
  const isNumber = /^\+?\d+$/.test(address)
  return Buffer.concat([Buffer.from(isNumber ? [1, 1] : [5, 0]), cString(address)])
}

export function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1')
}

/** The text on the handset. The default alphabet is read as ASCII, which is correct for Latin letters and digits. */
export function readText({ esmClass, dataCoding, octets }: SubmitSm): string {
  const text = (esmClass & 0x40) === 0 ? octets : octets.subarray(1 + (octets[0] ?? 0))
  return dataCoding === 8 ? Buffer.from(text).swap16().toString('utf16le') : text.toString('latin1')
}
