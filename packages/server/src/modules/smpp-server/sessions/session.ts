import type { Socket } from 'node:net'
import type { UserActor } from '../../../actor.ts'
import { createFrameReader, FrameError } from '../../../lib/smpp/frames.ts'
import { answerBit, command, cString, encodePdu, lastSequence, longestPdu, type Pdu } from '../../../lib/smpp/pdu.ts'
import { decodeBindBody } from '../../../lib/smpp/requests.ts'
import { statuses } from '../../../lib/smpp/statuses.ts'
import { encodeTlv } from '../../../lib/smpp/tlv.ts'
import type { SubmitAnswer } from '../submits/handle-submit.ts'
import type { Authenticate, BoundCredential } from './authenticate-bind.ts'

export type Mode = 'transmitter' | 'receiver' | 'transceiver'

/** What a session uses of the server. */
export type SessionHooks = {
  authenticate: Authenticate
  /** Counts a submit against the limits of the key. */
  admit(session: Bound): Promise<{ actor: UserActor } | { status: number }>
  submit(session: Bound, admitted: { actor: UserActor; body: Buffer }): Promise<SubmitAnswer>
  /** A defect: the session is closed. */
  onBroken(error: unknown): void
  /** The command_status of each response to a submit. */
  onAnswered(status: number): void
  onBound(session: Session): void
  /** The response to a receipt. */
  onConfirmed(session: Session, receiptId: string, status: number): void
  /** Called once, with receipts that were not confirmed. */
  onClosed(session: Session, unconfirmed: string[]): void
}

export type Bound = { sessionId: string; credential: BoundCredential; mode: Mode; address: string }

export type Session = {
  address: string
  socket: Socket
  hooks: SessionHooks
  timing: SessionTiming
  status: 'open' | 'binding' | 'bound' | 'leaving' | 'closed'
  bound: Bound | undefined
  openedAt: number
  /** When the last byte arrived. */
  heardAt: number
  isEnquired: boolean
  sequence: number
  submits: number
  /** Receipts without a response, by sequence number. */
  deliveries: Map<number, { receiptId: string; sentAt: number }>
  /** Waits until nothing is in flight: submits, and receipts unless the client unbinds. */
  waiting: { resolve(): void; forReceipts: boolean } | undefined
}

export type SessionTiming = {
  bindWithinMs: number
  enquireAfterMs: number
  /** How long a response may take: to enquire_link, and to a receipt. */
  answerWithinMs: number
  /** The answer to a bind that is refused waits this long. */
  refuseAfterMs: number
}

export const usualTiming: SessionTiming = {
  bindWithinMs: 10_000,
  enquireAfterMs: 30_000,
  answerWithinMs: 30_000,
  refuseAfterMs: 1000,
}

const longestBind = 1024
export const submitWindow = 100
export const deliveryWindow = 20
/** What a client has not read: beyond this, nothing more is read from it. */
const mostUnreadBytes = 256 * 1024
const noBody = Buffer.alloc(0)
const modes: Readonly<Record<number, Mode>> = {
  [command.bindTransmitter]: 'transmitter',
  [command.bindReceiver]: 'receiver',
  [command.bindTransceiver]: 'transceiver',
}
const unsupported: ReadonlySet<number> = new Set([
  command.submitMulti,
  command.querySm,
  command.cancelSm,
  command.replaceSm,
  command.dataSm,
])
const systemId = cString('Carillon')
const interfaceVersion = encodeTlv(0x0210, Buffer.from([0x34]))

export type SessionOptions = Pick<Session, 'socket' | 'address' | 'hooks' | 'timing'>

export function openSession({ socket, address, hooks, timing }: SessionOptions): Session {
  const now = performance.now()
  const session: Session = {
    address,
    socket,
    hooks,
    timing,
    status: 'open',
    bound: undefined,
    openedAt: now,
    heardAt: now,
    isEnquired: false,
    sequence: 0,
    submits: 0,
    deliveries: new Map(),
    waiting: undefined,
  }
  const read = createFrameReader(() => (session.bound ? longestPdu : longestBind))
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => receive(session, chunk, read))
  socket.on('drain', () => socket.resume())
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    session.status = 'closed'
    const unconfirmed = [...session.deliveries.values()].map(({ receiptId }) => receiptId)
    session.deliveries.clear()
    settleIdle(session)
    hooks.onClosed(session, unconfirmed)
  })
  return session
}

function receive(session: Session, chunk: Buffer, read: (chunk: Buffer) => Pdu[]) {
  session.heardAt = performance.now()
  session.isEnquired = false
  try {
    for (const pdu of read(chunk)) handle(session, pdu)
  } catch (error) {
    if (!(error instanceof FrameError)) {
      session.hooks.onBroken(error)
      return session.socket.destroy()
    }
    // Nothing after an invalid length can be read.
    send(session, { commandId: command.genericNack, status: statuses.invalidCommandLength, sequence: 0, body: noBody })
    end(session)
  }
  if (session.socket.writableLength > mostUnreadBytes) session.socket.pause()
}

function handle(session: Session, pdu: Pdu) {
  const { commandId } = pdu
  if (session.status === 'closed') return
  if ((commandId & answerBit) !== 0) return handleAnswer(session, pdu)
  if (modes[commandId]) return bind(session, pdu)
  if (commandId === command.enquireLink) return answer(session, pdu, { status: statuses.ok })
  if (commandId === command.unbind) return unbind(session, pdu)
  if (commandId === command.submitSm) return submit(session, pdu)
  if (unsupported.has(commandId)) return answer(session, pdu, { status: statuses.invalidCommand })
  send(session, {
    commandId: command.genericNack,
    status: statuses.invalidCommand,
    sequence: pdu.sequence,
    body: noBody,
  })
}

function handleAnswer(session: Session, { commandId, sequence, status }: Pdu) {
  if (commandId === (command.unbind | answerBit) >>> 0) return end(session)
  const delivery = session.deliveries.get(sequence)
  const isOfDelivery = commandId === (command.deliverSm | answerBit) >>> 0 || commandId === command.genericNack
  if (!delivery || !isOfDelivery) return
  session.deliveries.delete(sequence)
  const isNack = commandId === command.genericNack && status === statuses.ok
  session.hooks.onConfirmed(session, delivery.receiptId, isNack ? statuses.systemError : status)
  settleIdle(session)
}

function bind(session: Session, pdu: Pdu) {
  if (session.status !== 'open') return answer(session, pdu, { status: statuses.alreadyBound })
  session.status = 'binding'
  const request = decodeBindBody(pdu.body)
  if (!request) return refuseBind(session, pdu, statuses.invalidCommandLength)
  session.hooks.authenticate(request, session.address).then(
    (result) => {
      if (result.kind === 'refused') return refuseBind(session, pdu, result.status)
      const { sessionId, credential } = result
      const mode = modes[pdu.commandId] ?? 'transceiver'
      session.bound = { sessionId, credential, mode, address: session.address }
      if (session.status !== 'binding') return session.hooks.onClosed(session, [])
      session.status = 'bound'
      session.hooks.onBound(session)
      answer(session, pdu, { status: statuses.ok, body: Buffer.concat([systemId, interfaceVersion]) })
    },
    () => refuseBind(session, pdu, statuses.systemError),
  )
}

/** Later than an accepted bind, so that guessing takes long. */
function refuseBind(session: Session, pdu: Pdu, status: number) {
  setTimeout(() => {
    answer(session, pdu, { status })
    end(session)
  }, session.timing.refuseAfterMs).unref()
}

function submit(session: Session, pdu: Pdu) {
  const { bound, hooks } = session
  if (!bound || session.status !== 'bound' || bound.mode === 'receiver')
    return answer(session, pdu, { status: statuses.invalidBindState })
  if (session.submits >= submitWindow) return answer(session, pdu, { status: statuses.throttled })
  session.submits += 1
  const respond = ({ status, messageId }: SubmitAnswer) => {
    session.submits -= 1
    hooks.onAnswered(status)
    answer(session, pdu, { status, ...(messageId !== undefined && { body: cString(messageId) }) })
    settleIdle(session)
  }
  hooks
    .admit(bound)
    .then(async (admitted) =>
      'status' in admitted ? admitted : hooks.submit(bound, { actor: admitted.actor, body: pdu.body }),
    )
    .then(respond, () => respond({ status: statuses.systemError }))
}

/** By the client. Its submits in flight are answered first. */
function unbind(session: Session, pdu: Pdu) {
  if (session.status === 'bound') session.status = 'leaving'
  const finish = () => {
    answer(session, pdu, { status: statuses.ok })
    end(session)
  }
  idle(session, { withinMs: endWithinMs, forReceipts: false }).then(finish, finish)
}

/** Whether the session takes another receipt now. */
export function roomOf(session: Session): number {
  if (session.status !== 'bound' || !session.bound || session.bound.mode === 'transmitter') return 0
  if (session.socket.writableLength > mostUnreadBytes) return 0
  return deliveryWindow - session.deliveries.size
}

export function deliver(session: Session, { receiptId, body }: { receiptId: string; body: Buffer }) {
  const sequence = nextSequence(session)
  session.deliveries.set(sequence, { receiptId, sentAt: performance.now() })
  send(session, { commandId: command.deliverSm, status: statuses.ok, sequence, body })
}

/** Closes sessions that never bind, that are silent, or that do not answer. */
export function checkTimes(session: Session) {
  const now = performance.now()
  const { status, timing } = session
  if (status === 'open' && now - session.openedAt > timing.bindWithinMs) return session.socket.destroy()
  if (status !== 'bound') return
  const [oldest] = session.deliveries.values()
  if (oldest && now - oldest.sentAt > timing.answerWithinMs) return session.socket.destroy()
  const silentMs = now - session.heardAt
  if (silentMs > timing.enquireAfterMs + timing.answerWithinMs) return session.socket.destroy()
  if (silentMs > timing.enquireAfterMs && !session.isEnquired) {
    session.isEnquired = true
    request(session, command.enquireLink)
  }
}

const unbindWithinMs = 2000

/** Answers what is in flight, within the time, and unbinds. */
export async function leave(session: Session, graceMs: number): Promise<void> {
  if (session.status !== 'bound') return end(session)
  session.status = 'leaving'
  await idle(session, { withinMs: graceMs, forReceipts: true })
  if (isClosed(session)) return
  request(session, command.unbind)
  const closed = new Promise<void>((resolve) => session.socket.once('close', () => resolve()))
  const timer = setTimeout(() => session.socket.destroy(), unbindWithinMs)
  await closed
  clearTimeout(timer)
}

const isClosed = ({ status }: Session) => status === 'closed'

async function idle(
  session: Session,
  { withinMs, forReceipts }: { withinMs: number; forReceipts: boolean },
): Promise<void> {
  const waiting = Promise.withResolvers<void>()
  const timer = setTimeout(waiting.resolve, withinMs)
  session.waiting = { resolve: waiting.resolve, forReceipts }
  settleIdle(session)
  await waiting.promise
  clearTimeout(timer)
}

function settleIdle({ status, submits, deliveries, waiting }: Session) {
  const isIdle = submits === 0 && (deliveries.size === 0 || !waiting?.forReceipts)
  if (isIdle || status === 'closed') waiting?.resolve()
}

const endWithinMs = 5000

/** After what was written. */
function end(session: Session) {
  const { socket } = session
  if (session.status !== 'closed') session.status = 'leaving'
  socket.destroySoon()
  setTimeout(() => socket.destroy(), endWithinMs).unref()
}

type Answer = { status: number; body?: Buffer }

function answer(session: Session, { commandId, sequence }: Pdu, { status, body = noBody }: Answer) {
  send(session, { commandId: (commandId | answerBit) >>> 0, status, sequence, body })
}

function request(session: Session, commandId: number) {
  send(session, { commandId, status: statuses.ok, sequence: nextSequence(session), body: noBody })
}

function nextSequence(session: Session): number {
  session.sequence = session.sequence === lastSequence ? 1 : session.sequence + 1
  return session.sequence
}

/** What is written in one turn of the event loop leaves together. */
function send({ socket }: Session, pdu: Pdu) {
  if (!socket.writable) return
  socket.cork()
  socket.write(encodePdu(pdu))
  process.nextTick(() => socket.uncork())
}
