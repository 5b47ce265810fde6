import type { Delivered } from './pdu.ts'
import { tag } from './tlv.ts'

/** Which part of a long text a PDU has. */
export type Place = { reference: number; total: number; number: number }

type Content = Pick<Delivered, 'esmClass' | 'shortMessage' | 'tlvs'>

/** Removes the user data header, and finds the part number and count in it or in the optional parameters. */
export function separate({ esmClass, shortMessage, tlvs }: Content): { place: Place | undefined; octets: Buffer } {
  const whole = shortMessage.length > 0 ? shortMessage : (tlvs.get(tag.messagePayload) ?? shortMessage)
  const hasHeader = (esmClass & 0x40) !== 0
  const headerEnd = hasHeader ? Math.min(1 + (whole[0] ?? 0), whole.length) : 0
  const inHeader = hasHeader ? placeInHeader(whole.subarray(1, headerEnd)) : undefined
  return { place: checkPlace(inHeader ?? placeInTlvs(tlvs)), octets: whole.subarray(headerEnd) }
}

/** Elements of id, length and value. */
function placeInHeader(header: Buffer): Place | undefined {
  let offset = 0
  while (offset + 2 <= header.length) {
    const [id = 0, length = 0] = header.subarray(offset)
    const place = readElement(id, header.subarray(offset + 2, offset + 2 + length))
    if (place) return place
    offset += 2 + length
  }
  return undefined
}

/** Element 0 has one byte of reference, element 8 has two. */
function readElement(id: number, value: Buffer): Place | undefined {
  const width = id === 0 ? 1 : 2
  if ((id !== 0 && id !== 8) || value.length !== width + 2) return undefined
  const [total = 0, number = 0] = value.subarray(width)
  return { reference: value.readUIntBE(0, width), total, number }
}

function placeInTlvs(tlvs: Delivered['tlvs']): Place | undefined {
  const reference = tlvs.get(tag.sarReference)
  const total = tlvs.get(tag.sarTotal)?.[0]
  const number = tlvs.get(tag.sarPart)?.[0]
  if (!reference || reference.length < 2 || total === undefined || number === undefined) return undefined
  return { reference: reference.readUInt16BE(0), total, number }
}

function checkPlace(place: Place | undefined): Place | undefined {
  return place && place.total > 1 && place.number >= 1 && place.number <= place.total ? place : undefined
}
