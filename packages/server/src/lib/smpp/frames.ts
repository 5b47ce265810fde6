import { headerLength, longestPdu, type Pdu } from './pdu.ts'

/** The stream is invalid and nothing after this point can be parsed, so the connection must be closed. */
export class FrameError extends Error {
  override name = 'FrameError'
}

/** Splits a byte stream into PDUs, however it arrives. Throws FrameError on an invalid length, such as one of more than `longest()` bytes. */
export function createFrameReader(longest: () => number = () => longestPdu): (chunk: Buffer) => Pdu[] {
  let rest: Buffer[] = []
  let restLength = 0

  return (chunk) => {
    rest.push(chunk)
    restLength += chunk.length
    // The chunks of a large PDU are joined once it is complete, not on every chunk.
    if (restLength < headerLength || restLength < firstLength(rest, longest())) return []

    const bytes = rest.length === 1 ? chunk : Buffer.concat(rest, restLength)
    const pdus: Pdu[] = []
    let offset = 0
    while (bytes.length - offset >= headerLength) {
      const length = checkLength(bytes.readUInt32BE(offset), longest())
      if (bytes.length - offset < length) break
      pdus.push({
        commandId: bytes.readUInt32BE(offset + 4),
        status: bytes.readUInt32BE(offset + 8),
        sequence: bytes.readUInt32BE(offset + 12),
        body: bytes.subarray(offset + headerLength, offset + length),
      })
      offset += length
    }
    rest = offset === bytes.length ? [] : [bytes.subarray(offset)]
    restLength = bytes.length - offset
    return pdus
  }
}

/** The length field of the first PDU. */
function firstLength(pieces: readonly Buffer[], longest: number): number {
  const [first] = pieces
  if (first && first.length >= 4) return checkLength(first.readUInt32BE(0), longest)
  return checkLength(Buffer.concat(pieces).readUInt32BE(0), longest)
}

function checkLength(length: number, longest: number): number {
  if (length < headerLength || length > longest) throw new FrameError(`A PDU cannot be ${length} bytes long`)
  return length
}
