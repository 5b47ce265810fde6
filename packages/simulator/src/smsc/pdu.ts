/** Command ids of SMPP 3.4. A response has the highest bit set. */
export const commands = {
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  querySm: 0x03,
  submitSm: 0x04,
  deliverSm: 0x05,
  unbind: 0x06,
  replaceSm: 0x07,
  cancelSm: 0x08,
  bindTransceiver: 0x09,
  enquireLink: 0x15,
  dataSm: 0x103,
  genericNack: 0x80000000,
} as const

export const responseBit = 0x80000000

/** The command_status values this operator uses. */
export const statuses = {
  ok: 0x00,
  invalidLength: 0x01,
  invalidCommandLength: 0x02,
  invalidCommand: 0x03,
  wrongState: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  wrongPassword: 0x0e,
  unknownSystemId: 0x0f,
  cancelFailed: 0x11,
  replaceFailed: 0x13,
  queueFull: 0x14,
  submitFailed: 0x45,
  throttled: 0x58,
  temporaryError: 0x64,
  queryFailed: 0x67,
  missingTlv: 0xc3,
} as const

export const tags = {
  receiptedMessageId: 0x001e,
  userMessageReference: 0x0204,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarSequence: 0x020f,
  interfaceVersion: 0x0210,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
  entityId: 0x1400,
  templateId: 0x1401,
} as const

const headerLength = 16
/** A message_payload has at most 64 KB; longer PDUs are invalid. */
const longestPdu = 72 * 1024

export type Framer = { push(chunk: Buffer): void }

/** Splits the byte stream into PDUs. An invalid length stops it permanently. */
export function createFramer(on: { pdu(pdu: Buffer): void; broken(): void }): Framer {
  let rest: Buffer = Buffer.alloc(0)
  let isBroken = false
  return {
    push(chunk) {
      if (isBroken) return
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let offset = 0
      while (bytes.length - offset >= 4) {
        const length = bytes.readUInt32BE(offset)
        if (length < headerLength || length > longestPdu) {
          isBroken = true
          on.broken()
          return
        }
        if (bytes.length - offset < length) break
        on.pdu(bytes.subarray(offset, offset + length))
        offset += length
      }
      rest = bytes.subarray(offset)
    },
  }
}

export function commandOf(pdu: Buffer): number {
  return pdu.readUInt32BE(4)
}

export function statusOf(pdu: Buffer): number {
  return pdu.readUInt32BE(8)
}

export function sequenceOf(pdu: Buffer): number {
  return pdu.readUInt32BE(12)
}

export type Tlvs = { tag: number; value: Buffer }[]

export function findTlv(tlvs: Tlvs, tag: number): Buffer | undefined {
  return tlvs.find((tlv) => tlv.tag === tag)?.value
}

export type BindRequest = { systemId: string; password: string }

export function parseBind(pdu: Buffer): BindRequest {
  const cursor = { pdu, offset: headerLength }
  return { systemId: readText(cursor), password: readText(cursor) }
}

export type SubmitSm = {
  source: string
  destination: string
  esmClass: number
  registeredDelivery: number
  dataCoding: number
  body: Buffer
  tlvs: Tlvs
}

/** Parses submit_sm, deliver_sm and data_sm; throws RangeError if truncated. */
export function parseSubmit(pdu: Buffer): SubmitSm {
  const isDataSm = commandOf(pdu) === commands.dataSm
  const cursor = { pdu, offset: headerLength }
  readText(cursor)
  cursor.offset += 2
  const source = readText(cursor)
  cursor.offset += 2
  const destination = readText(cursor)
  const esmClass = readByte(cursor)
  if (isDataSm) {
    const registeredDelivery = readByte(cursor)
    const dataCoding = readByte(cursor)
    const tlvs = readTlvs(cursor)
    return {
      source,
      destination,
      esmClass,
      registeredDelivery,
      dataCoding,
      body: findTlv(tlvs, tags.messagePayload) ?? Buffer.alloc(0),
      tlvs,
    }
  }
  cursor.offset += 2
  readText(cursor)
  readText(cursor)
  const registeredDelivery = readByte(cursor)
  cursor.offset += 1
  const dataCoding = readByte(cursor)
  cursor.offset += 1
  const length = readByte(cursor)
  if (cursor.offset + length > pdu.length) throw new RangeError('sm_length goes beyond the PDU')
  const shortMessage = pdu.subarray(cursor.offset, cursor.offset + length)
  cursor.offset += length
  const tlvs = readTlvs(cursor)
  const body = length === 0 ? (findTlv(tlvs, tags.messagePayload) ?? shortMessage) : shortMessage
  return { source, destination, esmClass, registeredDelivery, dataCoding, body, tlvs }
}

type Cursor = { pdu: Buffer; offset: number }

function readText(cursor: Cursor): string {
  const end = cursor.pdu.indexOf(0, cursor.offset)
  if (end === -1) throw new RangeError('a text does not end')
  const text = cursor.pdu.toString('latin1', cursor.offset, end)
  cursor.offset = end + 1
  return text
}

function readByte(cursor: Cursor): number {
  const byte = cursor.pdu.readUInt8(cursor.offset)
  cursor.offset += 1
  return byte
}

const noTlvs: Tlvs = []

function readTlvs(cursor: Cursor): Tlvs {
  const { pdu } = cursor
  if (cursor.offset === pdu.length) return noTlvs
  const tlvs: Tlvs = []
  while (cursor.offset < pdu.length) {
    const tag = pdu.readUInt16BE(cursor.offset)
    const length = pdu.readUInt16BE(cursor.offset + 2)
    const from = cursor.offset + 4
    if (from + length > pdu.length) throw new RangeError('a TLV goes beyond the PDU')
    tlvs.push({ tag, value: pdu.subarray(from, from + length) })
    cursor.offset = from + length
  }
  return tlvs
}

export type PduHeader = { command: number; status: number; sequence: number }

/** A PDU without a body, or with a body that is one C-octet string (the answers to bind and submit). */
export function buildPdu(header: PduHeader, text?: string, tlv?: { tag: number; value: Buffer }): Buffer {
  const textLength = text === undefined ? 0 : text.length + 1
  const length = headerLength + textLength + (tlv ? 4 + tlv.value.length : 0)
  const pdu = Buffer.allocUnsafe(length)
  writeHeader(pdu, header)
  if (text !== undefined) {
    pdu.write(text, headerLength, 'latin1')
    pdu[headerLength + text.length] = 0
  }
  if (tlv) writeTlv(pdu, headerLength + textLength, tlv)
  return pdu
}

export type DeliverSm = {
  source: string
  destination: string
  esmClass: number
  dataCoding: number
  body: Buffer
  tlvs: Tlvs
}

export function buildDeliverSm(sequence: number, deliver: DeliverSm): Buffer {
  const tlvLength = deliver.tlvs.reduce((sum, { value }) => sum + 4 + value.length, 0)
  const mandatory = 1 + 2 + deliver.source.length + 1 + 2 + deliver.destination.length + 1 + 3 + 2 + 5
  const pdu = Buffer.alloc(headerLength + mandatory + deliver.body.length + tlvLength)
  writeHeader(pdu, { command: commands.deliverSm, status: 0, sequence })
  let offset = headerLength + 1
  for (const address of [deliver.source, deliver.destination]) {
    const isNumber = /^\d+$/.test(address)
    pdu[offset] = isNumber ? 1 : 5
    pdu[offset + 1] = isNumber ? 1 : 0
    pdu.write(address, offset + 2, 'latin1')
    offset += 2 + address.length + 1
  }
  pdu[offset] = deliver.esmClass
  // Protocol, priority, both times, registered_delivery and replace flag are zero.
  offset += 7
  pdu[offset] = deliver.dataCoding
  pdu[offset + 2] = deliver.body.length
  deliver.body.copy(pdu, offset + 3)
  offset += 3 + deliver.body.length
  for (const tlv of deliver.tlvs) offset = writeTlv(pdu, offset, tlv)
  return pdu
}

function writeHeader(pdu: Buffer, { command, status, sequence }: PduHeader) {
  pdu.writeUInt32BE(pdu.length, 0)
  pdu.writeUInt32BE(command >>> 0, 4)
  pdu.writeUInt32BE(status, 8)
  pdu.writeUInt32BE(sequence, 12)
}

function writeTlv(pdu: Buffer, offset: number, { tag, value }: { tag: number; value: Buffer }): number {
  pdu.writeUInt16BE(tag, offset)
  pdu.writeUInt16BE(value.length, offset + 2)
  value.copy(pdu, offset + 4)
  return offset + 4 + value.length
}
