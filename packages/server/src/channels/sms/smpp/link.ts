import type { Socket } from 'node:net'
import { EgressError, type Egress } from '../../../egress/egress.ts'
import { every } from '../../../lib/every.ts'
import type { SmppConfig } from './config.ts'
import { createFrameReader } from '../../../lib/smpp/frames.ts'
import {
  answerBit,
  command,
  decodeDelivered,
  encodeBindBody,
  encodePdu,
  lastSequence,
  readCString,
  setSequence,
  type Delivered,
  type Pdu,
} from '../../../lib/smpp/pdu.ts'

export type BindKind = 'transceiver' | 'transmitter' | 'receiver'

/** A submit_sm in flight; `writtenAt` is 0 until it was written to the socket. */
export type Submit = { frame: Buffer; writtenAt: number }

export type LinkHooks<S extends Submit> = {
  onBound(): void
  /** The SMSC refused the bind; the link closes afterwards. */
  onRefused(status: number): void
  /** Egress rules forbid the address; the link closes afterwards. */
  onForbidden(words: string): void
  onAnswer(submit: S, answer: { status: number; messageId: string }): void
  /** No response came in time, though later submits got theirs: the connection is kept. */
  onUnanswered(submits: S[]): void
  /** All responses that arrived together were processed: there may be room in the window. */
  onRoom(): void
  /** It accepts no more submits and is about to close. */
  onLeaving(): void
  /** Resolves to the command_status of the response; never rejects. */
  onDelivered(delivered: Delivered): Promise<number>
  /** Called once, with the messages in flight. */
  onClosed(reason: string, submits: S[]): void
}

/** One connection from opening to close; it is never reopened. */
export type Link<S extends Submit> = {
  submit(submit: S): void
  inFlight(): number
  /** Waits for messages in flight, unbinds, closes. */
  unbind(graceMs: number, reason: string): Promise<void>
}

type LinkState<S extends Submit> = {
  config: SmppConfig
  hooks: LinkHooks<S>
  socket: Socket
  status: 'opening' | 'bound' | 'leaving' | 'closed'
  openedAt: number
  sequence: number
  /** In the order of writing: the first is the oldest. */
  submits: Map<number, S>
  /** When the last submit_sm_resp arrived. */
  answeredAt: number
  /** How long nothing was received, counting only time in which this process was able to read. */
  silentMs: number
  tickedAt: number
  /** An enquire_link was sent since the last byte was received. */
  isEnquired: boolean
  /** Inbound PDUs being stored. */
  delivering: number
  outbox: Buffer[]
  unsent: S[]
  reason: string
}

const bindCommand: Record<BindKind, number> = {
  transceiver: command.bindTransceiver,
  transmitter: command.bindTransmitter,
  receiver: command.bindReceiver,
}
const openingTimeoutMs = 30_000
const tickMs = 500
/** How long each side waits for the other's last responses when closing. */
export const closeGraceMs = 1_000
const rxPermanent = 0x65
const invalidCommand = 0x03
const noBody = Buffer.alloc(0)
/** deliver_sm_resp has an empty message id. */
const emptyId = Buffer.from([0])

export type LinkOptions<S extends Submit> = {
  config: SmppConfig
  kind: BindKind
  egress: Pick<Egress, 'connect'>
  hooks: LinkHooks<S>
}

export function openLink<S extends Submit>({ config, kind, egress, hooks }: LinkOptions<S>): Link<S> {
  const socket = egress.connect(config)
  const now = performance.now()
  const link: LinkState<S> = {
    config,
    hooks,
    socket,
    status: 'opening',
    openedAt: now,
    sequence: 0,
    submits: new Map(),
    answeredAt: 0,
    silentMs: 0,
    tickedAt: now,
    isEnquired: false,
    delivering: 0,
    outbox: [],
    unsent: [],
    reason: 'The operator closed the connection',
  }
  const ticking = every(tickMs, () => tick(link))
  const read = createFrameReader()
  socket.setNoDelay(true)
  socket.once(config.tls ? 'secureConnect' : 'connect', () => request(link, bindCommand[kind], encodeBindBody(config)))
  socket.on('data', (chunk: Buffer) => receive(link, chunk, read))
  socket.on('error', (error) => {
    link.reason = error.message || 'The connection failed'
    if (error instanceof EgressError) hooks.onForbidden(error.message)
  })
  socket.once('close', () => {
    ticking.stop()
    link.status = 'closed'
    const lost = [...link.submits.values()]
    link.submits.clear()
    hooks.onClosed(link.reason, lost)
  })
  return {
    submit: (submit) => submitOn(link, submit),
    inFlight: () => link.submits.size,
    unbind: (graceMs, reason) => shutDown(link, { graceMs, reason, sendsUnbind: true }),
  }
}

function submitOn<S extends Submit>(link: LinkState<S>, submit: S) {
  setSequence(submit.frame, nextSequence(link))
  link.submits.set(link.sequence, submit)
  link.unsent.push(submit)
  enqueue(link, submit.frame)
}

function request<S extends Submit>(link: LinkState<S>, commandId: number, body: Buffer) {
  enqueue(link, encodePdu({ commandId, status: 0, sequence: nextSequence(link), body }))
}

function answer<S extends Submit>(
  link: LinkState<S>,
  { commandId, sequence }: Pdu,
  { status, body }: Pick<Pdu, 'status' | 'body'>,
) {
  enqueue(link, encodePdu({ commandId: (commandId | answerBit) >>> 0, status, sequence, body }))
}

function nextSequence<S extends Submit>(link: LinkState<S>): number {
  link.sequence = link.sequence === lastSequence ? 1 : link.sequence + 1
  return link.sequence
}

/** Everything written in one turn of the event loop leaves in one write. */
function enqueue<S extends Submit>(link: LinkState<S>, frame: Buffer) {
  if (link.outbox.push(frame) === 1) process.nextTick(flush, link)
}

function flush<S extends Submit>(link: LinkState<S>) {
  const frames = link.outbox
  const unsent = link.unsent
  link.outbox = []
  link.unsent = []
  if (!link.socket.writable || link.status === 'closed') return
  const now = performance.now()
  for (const submit of unsent) submit.writtenAt = now
  link.socket.write(frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames))
}

function destroy<S extends Submit>(link: LinkState<S>, reason: string) {
  link.reason = reason
  link.socket.destroy()
}

/** An unexpected error closes the connection, which is reopened; it does not end the process. */
function breakOff<S extends Submit>(link: LinkState<S>): (error: unknown) => void {
  return (error) => destroy(link, error instanceof Error ? error.message : 'The operator sent an invalid PDU')
}

/** Timeouts are checked twice a second, which is precise enough. */
function tick<S extends Submit>(link: LinkState<S>) {
  const now = performance.now()
  link.silentMs += Math.min(now - link.tickedAt, 2 * tickMs)
  link.tickedAt = now
  const { enquireLinkSeconds, responseTimeoutSeconds } = link.config
  const timeoutMs = responseTimeoutSeconds * 1000
  if (link.status === 'opening') {
    if (now - link.openedAt > Math.min(openingTimeoutMs, timeoutMs))
      destroy(link, 'The operator did not respond in time')
    return
  }
  if (giveUpUnanswered(link, now - timeoutMs) === 'dead')
    return destroy(link, 'The operator did not respond to a message in time')
  // A peer that vanished without closing sends nothing: one interval until enquire_link, one for the response.
  if (link.silentMs > 2 * enquireLinkSeconds * 1000 - tickMs) return destroy(link, 'The connection timed out')
  if (!link.isEnquired && link.silentMs > enquireLinkSeconds * 1000 - tickMs) {
    link.isEnquired = true
    request(link, command.enquireLink, noBody)
  }
}

/**
 * Removes submits written before `before`. If a response has come since one was written, the session works and only this
 * response is missing. Otherwise the session does not respond at all.
 */
function giveUpUnanswered<S extends Submit>(link: LinkState<S>, before: number): 'alive' | 'dead' {
  const unanswered: S[] = []
  let state: 'alive' | 'dead' = 'alive'
  for (const [sequence, submit] of link.submits) {
    if (submit.writtenAt === 0 || submit.writtenAt >= before) break
    if (link.answeredAt <= submit.writtenAt) {
      state = 'dead'
      break
    }
    link.submits.delete(sequence)
    unanswered.push(submit)
  }
  if (unanswered.length > 0) link.hooks.onUnanswered(unanswered)
  return state
}

function receive<S extends Submit>(link: LinkState<S>, chunk: Buffer, read: (chunk: Buffer) => Pdu[]) {
  link.silentMs = 0
  link.isEnquired = false
  try {
    const answeredBefore = link.submits.size
    for (const pdu of read(chunk)) take(link, pdu)
    if (link.submits.size < answeredBefore) link.hooks.onRoom()
  } catch (error) {
    breakOff(link)(error)
  }
}

const submitAnswer = (command.submitSm | answerBit) >>> 0

function take<S extends Submit>(link: LinkState<S>, pdu: Pdu) {
  if (pdu.commandId === submitAnswer || pdu.commandId === command.genericNack) return handleSubmitResponse(link, pdu)
  if (pdu.commandId >= answerBit) return handleControlResponse(link, pdu)
  switch (pdu.commandId) {
    case command.deliverSm:
    case command.dataSm:
      return handleDelivery(link, pdu)
    case command.enquireLink:
      return answer(link, pdu, { status: 0, body: noBody })
    case command.unbind:
      answer(link, pdu, { status: 0, body: noBody })
      shutDown(link, { graceMs: closeGraceMs, reason: 'The operator ended the session', sendsUnbind: false }).catch(
        breakOff(link),
      )
      return undefined
    default:
      // alert_notification and outbind need no response; other commands are unknown.
      if (pdu.commandId === 0x102 || pdu.commandId === 0x0b) return undefined
      return enqueue(
        link,
        encodePdu({ commandId: command.genericNack, status: invalidCommand, sequence: pdu.sequence, body: noBody }),
      )
  }
}

function handleSubmitResponse<S extends Submit>(link: LinkState<S>, { commandId, status, sequence, body }: Pdu) {
  const submit = link.submits.get(sequence)
  // A generic_nack may concern something other than a submit.
  if (!submit) return
  link.submits.delete(sequence)
  link.answeredAt = performance.now()
  const isNack = commandId === command.genericNack
  link.hooks.onAnswer(submit, {
    status: isNack && status === 0 ? invalidCommand : status,
    messageId: isNack ? '' : readCString(body, 0).text,
  })
}

function handleControlResponse<S extends Submit>(link: LinkState<S>, { commandId, status }: Pdu) {
  const answered = commandId & ~answerBit
  if (answered === command.unbind) link.socket.end()
  else if (link.status === 'opening' && Object.values(bindCommand).includes(answered)) {
    if (status === 0) {
      link.status = 'bound'
      link.hooks.onBound()
    } else {
      link.hooks.onRefused(status)
      destroy(link, 'The operator refused the connection')
    }
  }
}

function handleDelivery<S extends Submit>(link: LinkState<S>, pdu: Pdu) {
  const delivered = decodeDelivered(pdu.commandId, pdu.body)
  if (!delivered) return answer(link, pdu, { status: rxPermanent, body: emptyId })
  link.delivering += 1
  link.hooks
    .onDelivered(delivered)
    .then((status) => {
      link.delivering -= 1
      answer(link, pdu, { status, body: emptyId })
    })
    .catch(breakOff(link))
}

type Shutdown = { graceMs: number; reason: string; /** False if the SMSC unbinds first. */ sendsUnbind: boolean }

async function shutDown<S extends Submit>(link: LinkState<S>, { graceMs, reason, sendsUnbind }: Shutdown) {
  if (link.status === 'closed') return
  const isClosed = new Promise<void>((resolve) => link.socket.once('close', () => resolve()))
  if (link.status === 'opening') {
    destroy(link, reason)
    return isClosed
  }
  if (link.status === 'bound') {
    link.status = 'leaving'
    link.hooks.onLeaving()
  }
  const until = performance.now() + graceMs
  while (link.submits.size + link.delivering > 0 && performance.now() < until && link.socket.writable) await delay(10)
  link.reason = reason
  if (sendsUnbind) request(link, command.unbind, noBody)
  else process.nextTick(() => link.socket.end())
  const timer = setTimeout(() => link.socket.destroy(), closeGraceMs)
  await isClosed
  clearTimeout(timer)
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
