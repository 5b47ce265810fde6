import { truncate } from '@carillon/contract/text'
import type { OutboundMessage, ProviderIo, SendOutcome, Session, SessionState } from './provider.ts'

type Status = SessionState['binds'][number]['status']

type HttpSession<Message> = {
  /** Name of the connection in its state. */
  name: string
  /** Maximum concurrent requests. */
  concurrency: number
  /** What closes, in messages for users: 'The account'. */
  subject: string
  /** Sends one message; never throws. */
  hand(message: Message): Promise<SendOutcome>
}

/** For providers without a persistent connection: each message is a request, with many at the same time. */
export function openHttpSession<Message extends OutboundMessage>(
  io: Pick<ProviderIo, 'clock' | 'onState'>,
  { name, concurrency, subject, hand }: HttpSession<Message>,
): Session<Message> {
  let status: Status = 'bound'
  let since = io.clock.now()
  let inFlight = 0
  let isClosing = false
  let lastError: SessionState['lastError']
  const waiting: (() => void)[] = []

  function state(): SessionState {
    return { ready: !isClosing, binds: [{ name, status, since, inFlight }], lastError }
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
    if (inFlight >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else inFlight += 1
    try {
      if (isClosing) return switchedOff(subject)
      if (message.expiresAt <= io.clock.now()) return expired
      const outcome = await hand(message)
      learn(outcome)
      return outcome
    } finally {
      // The slot passes to the next waiter without becoming free in between.
      const next = waiting.shift()
      if (next) next()
      else inFlight -= 1
    }
  }

  return {
    state,
    window: concurrency,
    send(batch, onOutcome) {
      for (const [index, message] of batch.entries())
        sendOne(message).then(
          (outcome) => onOutcome(index, outcome),
          (error: unknown) => onOutcome(index, broken(error)),
        )
    },
    async close(graceMs) {
      isClosing = true
      const until = performance.now() + graceMs
      while (inFlight > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
      status = 'closed'
      since = io.clock.now()
      io.onState(state())
    },
  }
}

const switchedOff = (subject: string): SendOutcome => ({
  kind: 'retry',
  afterMs: 2_000,
  reason: 'not_connected',
  code: 'not_connected',
  detail: `${subject} is being switched off`,
  throttled: false,
})
/** It is unknown whether the request was sent. */
const broken = (error: unknown): SendOutcome => ({
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
