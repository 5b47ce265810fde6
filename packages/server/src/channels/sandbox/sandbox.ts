import { z } from 'zod'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type {
  DeliveryReport,
  OutboundMessage,
  Provider,
  ProviderEvent,
  ProviderIo,
  SendOutcome,
  Session,
} from '../provider.ts'
import { fateOf, type Fate } from './fates.ts'

const Config = z.strictObject({})

/**
 * Carries messages of test keys: nothing leaves the process, nothing is charged, and the number decides what happens. Reports that
 * are still to come are lost with the process.
 */
export function createSandbox(channel: Channel): Provider<z.infer<typeof Config>> {
  return {
    channel,
    name: sandboxName(channel),
    label: 'Sandbox',
    description: 'Messages of test keys. The number decides what happens to them.',
    config: Config,
    presets: [],
    isSandbox: true,
    idempotent: () => true,
    messageIdOf,
    connect: (_config, io) => openSandbox(channel, io),
  }
}

export function sandboxName(channel: Channel): string {
  return `sandbox-${channel}`
}

const messageIdOf = (reference: string) => `sandbox-${reference}`

/** Messages of which the first attempt failed as intended, so the second succeeds. At most this many are remembered. */
const mostRemembered = 10_000

function openSandbox(channel: Channel, io: ProviderIo): Session {
  const timers = new Set<NodeJS.Timeout>()
  const tried = new Set<string>()
  const later = (afterMs: number, events: () => ProviderEvent[]) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      // A repeat is pointless: the process that lost its database sends nothing either.
      io.onEvents(events()).catch(() => undefined)
    }, afterMs)
    timers.add(timer)
  }
  const isFirst = (reference: string) => {
    if (tried.delete(reference)) return false
    if (tried.size < mostRemembered) tried.add(reference)
    return true
  }
  const state = {
    ready: true,
    binds: [{ name: 'sandbox', status: 'bound' as const, since: io.clock.now(), inFlight: 0 }],
    lastError: undefined,
  }
  return {
    window: 1000,
    state: () => state,
    send(batch, onOutcome) {
      for (const [index, message] of batch.entries()) {
        const fate = fateOf(message.to)
        const outcome = outcomeOf(fate, message, isFirst)
        for (const { afterMs, event } of outcome.kind === 'rejected' ? [] : eventsOf(fate, message, channel))
          if (outcome.kind === 'accepted' || fate.kind === 'unanswered') later(afterMs, () => [event(io.clock.now())])
        queueMicrotask(() => onOutcome(index, outcome))
      }
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      return Promise.resolve()
    },
  }
}

function outcomeOf(
  fate: Fate,
  { reference, parts }: OutboundMessage,
  isFirst: (reference: string) => boolean,
): SendOutcome {
  if (fate.kind === 'rejected') {
    const { reason, code, detail } = fate
    return { kind: 'rejected', reason, code, detail, scope: 'message' }
  }
  if (fate.kind === 'unanswered' && isFirst(reference))
    return { kind: 'unknown', code: 'sandbox_unanswered', detail: 'The response was lost' }
  if (fate.kind === 'throttled' && isFirst(reference)) {
    const { afterMs } = fate
    return {
      kind: 'retry',
      afterMs,
      reason: 'throughput_limited',
      code: 'sandbox_throttled',
      detail: 'The operator asks to slow down',
      throttled: false,
    }
  }
  const id = messageIdOf(reference)
  return {
    kind: 'accepted',
    providerMessageIds:
      parts > 1 ? Array.from({ length: parts }, (_, part) => (part === 0 ? id : `${id}-${part}`)) : [id],
  }
}

type Reported = Pick<DeliveryReport, 'status' | 'reason' | 'code' | 'detail'>
type Later = { afterMs: number; event(at: Date): ProviderEvent }

/** What the operator reports, and what the person answers. */
function eventsOf(fate: Fate, message: OutboundMessage, channel: Channel): Later[] {
  const { reference, parts } = message
  const id = messageIdOf(reference)
  const report = (afterMs: number, fields: Reported): Later[] =>
    Array.from({ length: Math.max(1, parts) }, (_, part) => ({
      afterMs,
      event: (at) => ({
        kind: 'delivery-report',
        providerMessageIds: [part === 0 ? id : `${id}-${part}`],
        reference,
        at,
        raw: JSON.stringify({ id, ...fields }),
        ...fields,
      }),
    }))
  switch (fate.kind) {
    case 'failed': {
      const { reason, code, detail } = fate
      return report(300, { status: 'failed', reason, code, detail })
    }
    case 'delivered':
      return [
        ...report(fate.afterMs, { status: 'delivered' }),
        ...(fate.isRead && channelTraits[channel].hasReadReceipts
          ? report(fate.afterMs + 500, { status: 'read' })
          : []),
        ...(fate.answer === undefined ? [] : [answerOf(message, fate.answer, fate.afterMs + 1000)]),
      ]
    case 'unanswered':
    case 'throttled':
      return report(1000, { status: 'delivered' })
    case 'rejected':
    case 'silent':
      return []
  }
}

function answerOf({ reference, to }: OutboundMessage, text: string, afterMs: number): Later {
  return {
    afterMs,
    event: (at) => ({
      kind: 'inbound-message',
      from: to,
      to: 'sandbox',
      text,
      inReplyTo: messageIdOf(reference),
      dedupeKey: `sandbox-answer-${reference}`,
      at,
      raw: text,
    }),
  }
}
