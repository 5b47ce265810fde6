import { truncate } from '@carillon/contract/text'
import type {
  OutboundMessage,
  ProviderIo,
  RevokeOutcome,
  RevokeRequest,
  SendOptions,
  SendOutcome,
  Session,
  SessionState,
} from './provider.ts'

type Status = SessionState['binds'][number]['status']

type HttpSession<Message> = {
  /** Name of the connection in its state. */
  name: string
  /** Maximum concurrent requests. */
  concurrency: number
  /** Messages that may be handed over without a response. By default as many as requests, because those in doubt are not repeated. */
  window?: number
  /** What closes, in messages for users: 'The account'. */
  subject: string
  /** Sends one message; never throws. */
  hand(message: Message): Promise<SendOutcome>
  /** Revokes one message; never throws. */
  revoke?(request: RevokeRequest): Promise<RevokeOutcome>
}

/** For providers without a persistent connection: each message is a request, with many at the same time. */
export function openHttpSession<Message extends OutboundMessage>(
  io: Pick<ProviderIo, 'clock' | 'onState'>,
  { name, concurrency, window = concurrency, subject, hand, revoke }: HttpSession<Message>,
): Session<Message> {
  let status: Status = 'bound'
  let since = io.clock.now()
  let isClosing = false
  let lastError: SessionState['lastError']
  const slots = createSlots(concurrency)

  function state(): SessionState {
    return { ready: !isClosing, binds: [{ name, status, since, inFlight: slots.inUse() }], lastError }
  }

  function learn(outcome: SendOutcome) {
    const next = statusAfter(outcome)
    const isTrouble = outcome.kind !== 'accepted' && (next !== 'bound' || outcome.kind === 'unknown')
    if (isTrouble) lastError = { message: outcome.detail, code: outcome.code, at: io.clock.now() }
    if (next !== status) {
      status = next
      since = io.clock.now()
    } else if (!isTrouble) return
    io.onState(state())
  }

  async function sendOne(message: Message): Promise<SendOutcome> {
    if (isClosing) return switchedOff(subject)
    if (message.expiresAt <= io.clock.now()) return expired
    const outcome = await hand(message)
    learn(outcome)
    return outcome
  }

  return {
    state,
    window,
    send(batch, onOutcome, options) {
      for (const [index, message] of batch.entries())
        slots
          .use(() => sendOne(message), options)
          .then(
            (outcome) => onOutcome(index, outcome),
            (error: unknown) => onOutcome(index, broken(error)),
          )
    },
    ...(revoke && {
      revoke(batch, onRevoked) {
        for (const [index, request] of batch.entries())
          slots
            .use(async () => (isClosing ? switchedOff(subject) : revoke(request)))
            .then(
              (outcome) => onRevoked(index, outcome),
              (error: unknown) => onRevoked(index, { ...broken(error), kind: 'retry', afterMs: 2_000 }),
            )
      },
    }),
    async close(graceMs) {
      isClosing = true
      const until = performance.now() + graceMs
      while (slots.inUse() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
      status = 'closed'
      since = io.clock.now()
      io.onState(state())
    },
  }
}

/** Limits concurrent requests. */
function createSlots(concurrency: number) {
  const waiting = { urgent: [] as (() => void)[], ordinary: [] as (() => void)[] }
  let inUse = 0
  return {
    inUse: () => inUse,
    async use<Result>(work: () => Promise<Result>, { isUrgent = false }: SendOptions = {}): Promise<Result> {
      const line = isUrgent ? waiting.urgent : waiting.ordinary
      if (inUse >= concurrency) await new Promise<void>((resolve) => line.push(resolve))
      else inUse += 1
      try {
        return await work()
      } finally {
        // The slot passes to the next waiter without becoming free in between.
        const next = waiting.urgent.shift() ?? waiting.ordinary.shift()
        if (next) next()
        else inUse -= 1
      }
    },
  }
}

const switchedOff = (subject: string): Extract<SendOutcome, { kind: 'retry' }> => ({
  kind: 'retry',
  afterMs: 2_000,
  reason: 'not_connected',
  code: 'not_connected',
  detail: `${subject} is being switched off`,
  throttled: false,
})
/** It is unknown whether the request was sent. */
const broken = (error: unknown): Extract<SendOutcome, { kind: 'unknown' }> => ({
  kind: 'unknown',
  code: 'FAILED',
  detail: truncate(String(error), 300),
})
const expired: SendOutcome = {
  kind: 'rejected',
  reason: 'expired',
  code: 'expired',
  detail: 'The message expired before sending',
  scope: 'message',
}

function statusAfter(outcome: SendOutcome): Status {
  if (outcome.kind === 'rejected' && outcome.scope === 'sender') return 'refused'
  return outcome.kind === 'retry' && outcome.reason === 'not_connected' ? 'closed' : 'bound'
}
