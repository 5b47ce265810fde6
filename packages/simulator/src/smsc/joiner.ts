import { findTlv, type SubmitSm, tags } from './pdu.ts'

/** Where a part stands in its long message, and the bytes of text it carries. */
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

/** Element 0x00 numbers the message in 8 bits, 0x08 in 16; others are skipped. */
function readUserDataHeader(bytes: Buffer): Part {
  const headerEnd = 1 + (bytes[0] ?? 0)
  const body = bytes.subarray(headerEnd)
  for (let offset = 1; offset + 1 < headerEnd; offset += 2 + (bytes[offset + 1] ?? 0)) {
    const element = bytes.subarray(offset + 2, offset + 2 + (bytes[offset + 1] ?? 0))
    const [first = 0, second = 0, third = 0, fourth = 0] = element
    if (bytes[offset] === 0x00 && element.length === 3)
      return { reference: first, total: second, position: third, body }
    if (bytes[offset] === 0x08 && element.length === 4)
      return { reference: first * 256 + second, total: third, position: fourth, body }
  }
  return whole(body)
}

function whole(body: Buffer): Part {
  return { reference: 0, total: 1, position: 1, body }
}

export type Joined = { body: Buffer; parts: number }

export type Joiner = {
  /** The whole message when this was its last missing part. */
  add: (conversation: string, part: Part) => Joined | 'waiting' | 'repeated'
  clear: () => void
}

const keptMessages = 100_000

/** Puts long messages together as a phone does. A part that comes again after its message was complete is a repeat. */
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
      // The bytes are a view into the socket's chunk, which is not ours to keep.
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
