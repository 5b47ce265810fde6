import { findTlv, type SubmitSm, tags } from './pdu.ts'

/** Position of a part in its long message and its text bytes. */
export type Part = { reference: number; total: number; position: number; body: Buffer }

export function readPart(submit: SubmitSm): Part {
  return (submit.esmClass & 0x40) === 0 ? readSar(submit) : readUserDataHeader(submit.body)
}

function readSar(submit: SubmitSm): Part {
  const reference = findTlv(submit.tlvs, tags.sarReference)
  const total = findTlv(submit.tlvs, tags.sarTotal)?.at(0)
  const position = findTlv(submit.tlvs, tags.sarSequence)?.at(0)
  if (reference?.length !== 2 || total === undefined || position === undefined) return whole(submit.body)
  return { reference: reference.readUInt16BE(), total, position, body: submit.body }
}

/** Element 0x00 has an 8-bit reference, 0x08 a 16-bit reference; others are skipped. */
function readUserDataHeader(bytes: Buffer): Part {
  const headerEnd = 1 + bytes.readUInt8(0)
  const body = bytes.subarray(headerEnd)
  let offset = 1
  while (offset + 1 < headerEnd) {
    const length = bytes.readUInt8(offset + 1)
    const numbering = readNumbering(bytes.readUInt8(offset), bytes.subarray(offset + 2, offset + 2 + length))
    if (numbering) return { ...numbering, body }
    offset += 2 + length
  }
  return whole(body)
}

function readNumbering(element: number, bytes: Buffer): Omit<Part, 'body'> | undefined {
  const isShort = element === 0x00 && bytes.length === 3
  const isLong = element === 0x08 && bytes.length === 4
  if (isShort) return { reference: bytes.readUInt8(0), total: bytes.readUInt8(1), position: bytes.readUInt8(2) }
  if (isLong) return { reference: bytes.readUInt16BE(0), total: bytes.readUInt8(2), position: bytes.readUInt8(3) }
  return undefined
}

function whole(body: Buffer): Part {
  return { reference: 0, total: 1, position: 1, body }
}

export type Joined = { body: Buffer; parts: number }

export type Joiner = {
  /** The complete message if this was the last missing part. */
  add: (conversation: string, part: Part) => Joined | 'waiting' | 'repeated'
  clear: () => void
}

const keptMessages = 100_000

/** Reassembles long messages. A part that arrives after completion is a repeat. */
export function createJoiner(): Joiner {
  const partsByMessage = new Map<string, { bodies: (Buffer | undefined)[]; missing: number }>()
  return {
    add(conversation, part) {
      if (part.total <= 1) return { body: part.body, parts: 1 }
      const key = `${conversation} ${part.reference} ${part.total}`
      const known = partsByMessage.get(key) ?? {
        bodies: Array.from<Buffer | undefined>({ length: part.total }),
        missing: part.total,
      }
      if (part.position < 1 || part.position > part.total || known.bodies[part.position - 1]) return 'repeated'
      partsByMessage.set(key, known)
      // Copies the bytes: they are a view into the socket's buffer.
      known.bodies[part.position - 1] = Buffer.from(part.body)
      known.missing -= 1
      if (known.missing > 0) return 'waiting'
      const body = Buffer.concat(known.bodies.map((each) => each ?? Buffer.alloc(0)))
      forgetOldest()
      return { body, parts: part.total }
    },
    clear: () => partsByMessage.clear(),
  }

  function forgetOldest() {
    if (partsByMessage.size <= keptMessages) return
    for (const [key, { missing }] of partsByMessage) {
      if (missing === 0) partsByMessage.delete(key)
      if (partsByMessage.size <= keptMessages) return
    }
  }
}
