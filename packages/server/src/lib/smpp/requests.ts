import { cString, readCString, type BindRequest } from './pdu.ts'
import { decodeTlvs, type Tlvs } from './tlv.ts'

/** Undefined if the body of a bind is truncated. */
export function decodeBindBody(body: Buffer): BindRequest | undefined {
  const systemId = readCString(body, 0)
  const password = readCString(body, systemId.end)
  const systemType = readCString(body, password.end)
  // interface_version, addr_ton, addr_npi and address_range.
  if (systemType.end + 3 > body.length) return undefined
  return { systemId: systemId.text, password: password.text, systemType: systemType.text }
}

/** Type of number, numbering plan, and the digits or letters. */
export type Address = { ton: number; npi: number; text: string }

/** A submit_sm; deliver_sm has the same fields. */
export type ShortMessage = {
  source: Address
  destination: Address
  esmClass: number
  scheduleDeliveryTime: string
  validityPeriod: string
  registeredDelivery: number
  dataCoding: number
  shortMessage: Buffer
  tlvs: Tlvs
}

/** Undefined if the body is truncated, or ends within an optional parameter. */
export function decodeShortMessage(body: Buffer): ShortMessage | undefined {
  const serviceType = readCString(body, 0)
  const source = readAddress(body, serviceType.end)
  const destination = source && readAddress(body, source.end)
  if (!source || !destination) return undefined
  const esmClass = body[destination.end]
  const schedule = readCString(body, destination.end + 3)
  const validity = readCString(body, schedule.end)
  const { end } = validity
  const [registeredDelivery, , dataCoding, , length] = body.subarray(end)
  if (esmClass === undefined || registeredDelivery === undefined || dataCoding === undefined || length === undefined)
    return undefined
  const start = end + 5
  if (start + length > body.length) return undefined
  return {
    source: source.address,
    destination: destination.address,
    esmClass,
    scheduleDeliveryTime: schedule.text,
    validityPeriod: validity.text,
    registeredDelivery,
    dataCoding,
    shortMessage: body.subarray(start, start + length),
    tlvs: decodeTlvs(body, start + length),
  }
}

function readAddress(body: Buffer, start: number): { address: Address; end: number } | undefined {
  const [ton, npi] = body.subarray(start)
  if (ton === undefined || npi === undefined) return undefined
  const { text, end } = readCString(body, start + 2)
  return { address: { ton, npi, text }, end }
}

type Delivery = Pick<ShortMessage, 'source' | 'destination' | 'esmClass' | 'dataCoding' | 'shortMessage'> & {
  /** Encoded optional parameters. */
  tlvs: Buffer
}

/** The body of a deliver_sm. */
export function encodeDelivery({ source, destination, ...message }: Delivery): Buffer {
  const { esmClass, dataCoding, shortMessage, tlvs } = message
  return Buffer.concat([
    cString(''),
    encodeAddress(source),
    encodeAddress(destination),
    // esm_class, protocol_id, priority_flag, two empty times, registered_delivery, replace_if_present, data_coding, sm_default_msg_id.
    Buffer.from([esmClass, 0, 0, 0, 0, 0, 0, dataCoding, 0, shortMessage.length]),
    shortMessage,
    tlvs,
  ])
}

function encodeAddress({ ton, npi, text }: Address): Buffer {
  return Buffer.concat([Buffer.from([ton, npi]), cString(text)])
}
