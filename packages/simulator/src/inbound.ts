import type { HandsetMessage, Via } from './handset.ts'
import type { Callback, Callbacks } from './http-gateway/callbacks.ts'
import { jasminInbound } from './http-gateway/jasmin.ts'
import { plainInbound } from './http-gateway/plain.ts'
import { twilioInbound } from './http-gateway/twilio.ts'
import type { Account } from './accounts.ts'
import type { Smsc } from './smsc/smsc.ts'
import type { World } from './world.ts'

export type Inbound = { world: World; smsc: Smsc; callbacks: Callbacks }

export type Reply = { number: string; to: string; text: string; account?: string | undefined }

export type SentReply = { message: HandsetMessage; /** No bind is there to take it yet. */ isWaiting: boolean }

/** A person answers: the way back is the one the last message from that header came by, else SMPP of the default account. */
export function sendInbound({ world, smsc, callbacks }: Inbound, reply: Reply): SentReply {
  const last = world.handset
    .find(reply.number)
    ?.messages.findLast(({ direction, peer }) => direction === 'received' && peer === reply.to)
  const account = world.accounts.find(reply.account ?? last?.account ?? '') ?? world.accounts.first()
  const words = { from: reply.number, to: reply.to, text: reply.text }
  const url = last && last.via !== 'smpp' ? account.inboundUrl : undefined
  const isWaiting = url ? false : smsc.deliverInbound(account, words).isWaiting
  if (url) {
    callbacks.send(inboundCallback({ account, url, via: last?.via }, words))
    world.counts.inboundSent += 1
  }
  const encoding = /^[\u0000-\u00ff]*$/.test(reply.text) ? 'gsm7' : 'ucs2'
  const message = world.handset.reply({
    number: reply.number,
    peer: reply.to,
    text: reply.text,
    parts: 1,
    encoding,
    account: account.systemId,
    via: url ? (last?.via ?? 'plain') : 'smpp',
    entityId: undefined,
    templateId: undefined,
    reference: undefined,
  })
  return { message, isWaiting }
}

type Way = { account: Account; url: string; via: Via | undefined }

function inboundCallback({ account, url, via }: Way, words: { from: string; to: string; text: string }): Callback {
  if (via === 'twilio') return twilioInbound(account, url, words)
  if (via === 'jasmin') return jasminInbound(url, words)
  return plainInbound(url, words)
}
