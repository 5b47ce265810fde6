/** Optional parameters by tag: two bytes of tag, two of length, the value. */
export const tag = {
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarPart: 0x020f,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const

export type Tlvs = ReadonlyMap<number, Buffer>

export function encodeTlv(tlvTag: number, value: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(4 + value.length)
  bytes.writeUInt16BE(tlvTag, 0)
  bytes.writeUInt16BE(value.length, 2)
  value.copy(bytes, 4)
  return bytes
}

/** Reads complete parameters; a truncated last one is ignored, because some operators truncate their own. */
export function decodeTlvs(bytes: Buffer, start: number): Tlvs {
  const tlvs = new Map<number, Buffer>()
  let offset = start
  while (offset + 4 <= bytes.length) {
    const end = offset + 4 + bytes.readUInt16BE(offset + 2)
    if (end > bytes.length) break
    tlvs.set(bytes.readUInt16BE(offset), bytes.subarray(offset + 4, end))
    offset = end
  }
  return tlvs
}

/** A text value with or without the trailing NUL that some operators add. */
export function tlvText(value: Buffer | undefined): string | undefined {
  if (!value) return undefined
  const end = value.indexOf(0)
  return value.toString('latin1', 0, end === -1 ? value.length : end)
}
