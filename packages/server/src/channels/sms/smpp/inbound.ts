import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import type { InboundMessage, ProviderEvent } from '../../provider.ts'
import { separate, type Place } from '../../../lib/smpp/parts.ts'
import type { Delivered } from '../../../lib/smpp/pdu.ts'
import { encodeTlv, tag } from '../../../lib/smpp/tlv.ts'
import { decodeText } from './text.ts'

const patienceMs = 10 * 60_000
/** More incomplete texts than this indicate an attack or a fault: the oldest are delivered incomplete. */
const mostWaiting = 1_000

type Waiting = {
  since: number
  total: number
  parts: Map<number, string>
  first: Delivered
  /** Kept for a while after it is stored, so that a repeated part does not start a new text. */
  progress: 'waiting' | 'storing' | 'stored'
  outcome: PromiseWithResolvers<boolean>
}

export type Reading =
  | {
      kind: 'whole'
      events: ProviderEvent[]
      /** Resolves the other parts with the result of the whole text. */ settle(isStored: boolean): void
    }
  | { kind: 'part'; /** Resolves once the whole text is stored or has failed. */ isStored: Promise<boolean> }

export type InboundReader = {
  read(delivered: Delivered): Reading
  /** Texts with parts missing for ten minutes; delivered incomplete. */
  giveUp(): ProviderEvent[]
}

export function createInboundReader(clock: Clock, defaultAlphabet: 'gsm7' | 'latin1'): InboundReader {
  const waiting = new Map<string, Waiting>()

  function giveUp(): ProviderEvent[] {
    const tooOld = clock.now().getTime() - patienceMs
    const late = [...waiting].filter(([, { since }], index) => since < tooOld || index < waiting.size - mostWaiting)
    for (const [key] of late) waiting.delete(key)
    return late
      .filter(([, { progress }]) => progress !== 'stored')
      .map(([, joined]) => present(joined.first, joinText(joined), clock))
  }

  /** The text this part belongs to. The same part number with other content starts another text: its reference was reused. */
  function findText(
    key: string,
    { total, number }: Place,
    { text, delivered }: { text: string; delivered: Delivered },
  ): Waiting {
    const known = waiting.get(key)
    const isOther = known !== undefined && (known.parts.get(number) ?? text) !== text
    const joined = known === undefined || isOther ? begin(delivered, total, clock) : known
    waiting.set(key, joined)
    joined.parts.set(number, text)
    return joined
  }

  return {
    giveUp,
    read(delivered) {
      const { place, octets } = separate(delivered)
      const text = decodeText(octets, delivered.dataCoding, defaultAlphabet)
      if (!place) return { kind: 'whole', events: [present(delivered, text, clock)], settle: () => undefined }

      const key = `${delivered.from} ${delivered.to} ${place.reference} ${place.total}`
      const joined = findText(key, place, { text, delivered })
      if (joined.progress === 'stored') return { kind: 'part', isStored: Promise.resolve(true) }
      if (joined.parts.size < joined.total || joined.progress === 'storing')
        return { kind: 'part', isStored: joined.outcome.promise }

      joined.progress = 'storing'
      const settle = (isStored: boolean) => {
        joined.progress = isStored ? 'stored' : 'waiting'
        joined.outcome.resolve(isStored)
        joined.outcome = Promise.withResolvers()
      }
      return { kind: 'whole', events: [present(joined.first, joinText(joined), clock)], settle }
    },
  }
}

function begin(first: Delivered, total: number, clock: Clock): Waiting {
  const since = clock.now().getTime()
  return { since, total, parts: new Map(), first, progress: 'waiting', outcome: Promise.withResolvers() }
}

function joinText({ parts, total }: Waiting): string {
  return Array.from({ length: total }, (_, index) => parts.get(index + 1) ?? '…').join('')
}

function present(delivered: Delivered, text: string, clock: Clock): ProviderEvent {
  const at = clock.now()
  const event: InboundMessage = {
    kind: 'inbound-message',
    from: delivered.from,
    to: delivered.to,
    text,
    dedupeKey: dedupeKey(delivered, text, at),
    ...(delivered.tlvs.has(tag.receiptedMessageId) ? {} : { isNameless: true }),
    at,
  }
  return {
    ...event,
    raw: JSON.stringify({ from: delivered.from, to: delivered.to, coding: delivered.dataCoding, text }),
  }
}

/**
 * SMPP gives inbound texts no id. The SMSC repeats within seconds what was not acknowledged, and a person may send the same
 * text again another day: equal texts within ten minutes count once, except keywords with another message in between.
 */
function dedupeKey({ from, to, tlvs }: Delivered, text: string, at: Date): string {
  const id = tlvs.get(tag.receiptedMessageId)
  const slot = id
    ? encodeTlv(tag.receiptedMessageId, id).toString('hex')
    : String(Math.floor(at.getTime() / patienceMs))
  return createHash('sha256').update([from, to, text, slot].join('\0')).digest('base64url')
}
