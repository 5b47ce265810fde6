import { openHttpSession } from '../../http-session.ts'
import type { ProviderIo, SendOutcome, Session } from '../../provider.ts'
import type { WhatsappMessage } from '../message.ts'
import type { CloudApiConfig } from './config.ts'
import { readAnswer, readFailure } from './outcome.ts'
import { createRepeats } from './repeats.ts'
import { buildRequest } from './request.ts'
import { createUploads } from './uploads.ts'
import { marketingStopped, stopOf } from './webhook-status.ts'

/** Each message is a request from one line. */
export function openSession(config: CloudApiConfig, io: ProviderIo): Session<WhatsappMessage> {
  const repeats = createRepeats()
  const uploads = io.lineId === undefined ? undefined : createUploads(config, io, io.lineId)
  return openHttpSession(io, {
    name: io.lineId ?? 'none',
    concurrency: config.concurrency,
    subject: 'The number',
    async hand(message) {
      if (io.lineId === undefined || !uploads) return lineless
      const replaced = await uploads.replace(message.content)
      if ('outcome' in replaced) return replaced.outcome
      try {
        const answer = await io.egress.request(buildRequest({ ...message, ...replaced }, config, io.lineId))
        const outcome = readAnswer(answer, (code) => repeats.before(message.to, code))
        if (outcome.kind === 'retry') repeats.note(message.to, Number(outcome.code))
        else repeats.forget(message.to)
        if (outcome.kind === 'rejected' && outcome.code === marketingStopped)
          await recordMarketingOptOut(message.to, io)
        return outcome
      } catch (error) {
        return readFailure(error)
      }
    },
  })
}

/** The rejection may be the only sign: Meta may have reported the preference before this account was connected. */
async function recordMarketingOptOut(to: string, { clock, onEvents, lineId }: ProviderIo): Promise<void> {
  const event = { ...stopOf(to.replace('+', ''), clock.now()), raw: '', ...(lineId === undefined ? {} : { lineId }) }
  // The message has its outcome whether or not this could be stored; the next message gets the same rejection.
  await onEvents([event]).catch(() => undefined)
}

const lineless: SendOutcome = {
  kind: 'rejected',
  reason: 'sender_rejected',
  code: 'no_line',
  detail: 'This sender has no number at Meta: refresh the account',
  scope: 'sender',
}
