import type { ProviderIo, SendOutcome, Session, SessionState } from '../../provider.ts'
import type { WhatsappMessage } from '../message.ts'
import type { CloudApiConfig } from './config.ts'
import { readAnswer, readFailure } from './outcome.ts'
import { createRepeats } from './repeats.ts'
import { buildRequest } from './request.ts'

type Status = SessionState['binds'][number]['status']

/** Each message is a request from one line; so many of them at once. */
export function openSession(config: CloudApiConfig, io: ProviderIo): Session<WhatsappMessage> {
  let status: Status = 'bound'
  let since = io.clock.now()
  let inFlight = 0
  let isClosing = false
  let lastError: SessionState['lastError']
  const waiting: (() => void)[] = []
  const repeats = createRepeats()

  function state(): SessionState {
    return { ready: !isClosing, binds: [{ name: io.lineId ?? 'none', status, since, inFlight }], lastError }
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

  async function sendOne(message: WhatsappMessage): Promise<SendOutcome> {
    if (inFlight >= config.concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else inFlight += 1
    try {
      if (isClosing) return switchedOff
      if (message.expiresAt <= io.clock.now()) return expired
      const outcome = await hand(message)
      learn(outcome)
      return outcome
    } finally {
      // The place goes to the next in line without becoming free in between.
      const next = waiting.shift()
      if (next) next()
      else inFlight -= 1
    }
  }

  async function hand(message: WhatsappMessage): Promise<SendOutcome> {
    if (io.lineId === undefined) return lineless
    try {
      const answer = await io.egress.request(buildRequest(message, config, io.lineId))
      const outcome = readAnswer(answer, (code) => repeats.before(message.to, code))
      if (outcome.kind === 'retry') repeats.note(message.to, Number(outcome.code))
      else repeats.forget(message.to)
      return outcome
    } catch (error) {
      return readFailure(error)
    }
  }

  return {
    state,
    window: config.concurrency,
    send: (batch) => Promise.all(batch.map(sendOne)),
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

const switchedOff: SendOutcome = {
  kind: 'retry',
  afterMs: 2_000,
  reason: 'not_connected',
  code: 'not_connected',
  detail: 'The number is being switched off',
  throttled: false,
}
const expired: SendOutcome = {
  kind: 'rejected',
  reason: 'expired',
  code: 'expired',
  detail: 'The message was no longer worth sending',
  scope: 'message',
}
const lineless: SendOutcome = {
  kind: 'rejected',
  reason: 'sender_rejected',
  code: 'no_line',
  detail: 'This sender has no number at Meta: read the account again',
  scope: 'sender',
}

function statusAfter(outcome: SendOutcome): Status {
  if (outcome.kind === 'rejected' && outcome.scope === 'sender') return 'refused'
  return outcome.kind === 'retry' && outcome.reason === 'not_connected' ? 'closed' : 'bound'
}
