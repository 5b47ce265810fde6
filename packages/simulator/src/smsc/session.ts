import type { Socket } from 'node:net'
import type { Account } from '../accounts.ts'
import { buildDeliverSm, buildPdu, type DeliverSm, type PduHeader } from './pdu.ts'

export type Mode = 'open' | 'transmitter' | 'receiver' | 'transceiver' | 'closed'

/** An outstanding deliver_sm. */
export type Delivery = {
  deliver: DeliverSm
  attempts: number
  /** Called after the response or the last attempt. */ done?: () => void
}

/** A client connection. */
export type Session = {
  socket: Socket
  account: Account | undefined
  mode: Mode
  openedAt: number
  lastReceivedAt: number
  enquiredAt: number | undefined
  /** Half-open: reads but no longer writes. */
  isSilent: boolean
  submits: number
  /** Submits with a delayed response. */
  unanswered: number
  sequence: number
  awaiting: Map<number, { delivery: Delivery; sentAt: number }>
  out: Buffer[]
}

export function openSession(socket: Socket): Session {
  const now = Date.now()
  return {
    socket,
    account: undefined,
    mode: 'open',
    openedAt: now,
    lastReceivedAt: now,
    enquiredAt: undefined,
    isSilent: false,
    submits: 0,
    unanswered: 0,
    sequence: 0,
    awaiting: new Map(),
    out: [],
  }
}

export function mayReceive(session: Session): boolean {
  return session.mode === 'receiver' || session.mode === 'transceiver'
}

/** PDUs of one event-loop turn are written together. */
export function write(session: Session, bytes: Buffer) {
  if (session.isSilent || session.socket.destroyed) return
  session.out.push(bytes)
  if (session.out.length === 1) setImmediate(() => flush(session))
}

export function flush(session: Session) {
  const { out, socket } = session
  if (out.length === 0) return
  session.out = []
  if (!session.isSilent && !socket.destroyed && socket.writable)
    socket.write(out.length === 1 && out[0] ? out[0] : Buffer.concat(out))
}

export function respond(session: Session, header: PduHeader, text?: string) {
  write(session, buildPdu(header, text))
}

const mostBufferedBytes = 1024 * 1024

export function hasRoom(session: Session): boolean {
  return (
    mayReceive(session) &&
    !session.isSilent &&
    session.awaiting.size < (session.account?.deliverWindow ?? 0) &&
    session.socket.writableLength < mostBufferedBytes
  )
}

export function sendDelivery(session: Session, delivery: Delivery) {
  const sequence = nextSequence(session)
  delivery.attempts += 1
  session.awaiting.set(sequence, { delivery, sentAt: Date.now() })
  write(session, buildDeliverSm(sequence, delivery.deliver))
}

export function nextSequence(session: Session): number {
  session.sequence = session.sequence >= 0x7fffffff ? 1 : session.sequence + 1
  return session.sequence
}
