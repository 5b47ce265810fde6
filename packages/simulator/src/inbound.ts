import type { HandsetMessage, Via } from './handset.ts'
import type { Callback, Callbacks } from './http-gateway/callbacks.ts'
import { countParts } from './http-gateway/counter.ts'
import { jasminInbound } from './http-gateway/jasmin.ts'
import { plainInbound } from './http-gateway/plain.ts'
import { twilioInbound } from './http-gateway/twilio.ts'
import type { Account } from './accounts.ts'
import type { Smsc } from './smsc/smsc.ts'
import type { Simulation } from './simulation.ts'

export type Inbound = { simulation: Simulation; smsc: Smsc; callbacks: Callbacks }

export type Reply = { number: string; to: string; text: string; account?: string | undefined }

export type SentReply = { message: HandsetMessage; /** No bind can receive it yet. */ isWaiting: boolean }

/** Sends a person's reply by the route of the last message from that header, else by SMPP. */
export function sendInbound({ simulation, smsc, callbacks }: Inbound, reply: Reply): SentReply {
  const { account, via } = replyRoute(simulation, reply)
  const words = { from: reply.number, to: reply.to, text: reply.text }
  const url = via === 'smpp' ? undefined : account.inboundUrl
  const isWaiting = url === undefined && smsc.deliverInbound(account, words).isWaiting
  if (url !== undefined) {
    callbacks.send(inboundCallback({ account, url, via }, words))
    simulation.counts.inboundSent += 1
  }
  const message = simulation.handset.reply({
    ...countParts(reply.text),
    number: reply.number,
    peer: reply.to,
    text: reply.text,
    account: account.systemId,
    via: url === undefined ? 'smpp' : via,
    entityId: undefined,
    templateId: undefined,
    reference: undefined,
  })
  return { message, isWaiting }
}

function replyRoute(simulation: Simulation, { number, to, account }: Reply): { account: Account; via: Via } {
  const last = simulation.handset
    .find(number)
    ?.messages.findLast(({ channel, direction, peer }) => channel === 'sms' && direction === 'received' && peer === to)
  return {
    account: simulation.accounts.find(account ?? last?.account ?? '') ?? simulation.accounts.first(),
    via: last?.via ?? 'smpp',
  }
}

type Way = { account: Account; url: string; via: Via }

function inboundCallback({ account, url, via }: Way, words: { from: string; to: string; text: string }): Callback {
  if (via === 'twilio') return twilioInbound(account, url, words)
  if (via === 'jasmin') return jasminInbound(url, words)
  return plainInbound(url, words)
}
