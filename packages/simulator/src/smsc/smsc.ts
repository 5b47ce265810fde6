import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { Account } from '../accounts.ts'
import { guarded } from '../background.ts'
import type { Simulation } from '../simulation.ts'
import { createJoiner } from './joiner.ts'
import {
  buildPdu,
  commandOf,
  commands,
  createFramer,
  parseBind,
  responseBit,
  sequenceOf,
  statuses,
  statusOf,
  tags,
} from './pdu.ts'
import { createPostOffice } from './post-office.ts'
import { flush, type Mode, nextSequence, openSession, respond, type Session, write } from './session.ts'
import { handleSubmit } from './submits.ts'
import { encodeInbound } from './texts.ts'

export type Smsc = {
  port: number
  binds: () => { systemId: string; mode: Mode; submits: number; awaiting: number }[]
  /** Sends an inbound message to the customer's number; queued until a bind exists. */
  deliverInbound: (account: Account, message: { from: string; to: string; text: string }) => { isWaiting: boolean }
  waiting: (account: Account) => number
  reset: () => void
  close: () => Promise<void>
}

export type SmscOptions = { host: string; port: number; tls?: TlsOptions | undefined }

/** An SMPP 3.4 server with the guarantees of a real operator and the faults of the fault plan. */
export async function startSmsc(simulation: Simulation, options: SmscOptions): Promise<Smsc> {
  const sessions = new Set<Session>()
  const bound = new Map<Account, Session[]>()
  const joiner = createJoiner()
  const postOffice = createPostOffice(simulation, (account) => bound.get(account) ?? [])
  const desk = { simulation, postOffice, joiner, bound }

  function connect(socket: Socket) {
    const session = openSession(socket)
    sessions.add(session)
    socket.setNoDelay(true)
    const framer = createFramer({
      pdu: (pdu) => handle(desk, session, pdu),
      broken() {
        respond(session, { command: commands.genericNack, status: statuses.invalidCommandLength, sequence: 0 })
        flush(session)
        socket.destroySoon()
      },
    })
    socket.on('data', (chunk: Buffer) => {
      session.lastReceivedAt = Date.now()
      session.enquiredAt = undefined
      guarded(() => framer.push(chunk))
    })
    socket.on('drain', () => session.account && postOffice.dispatch(session.account))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sessions.delete(session)
      release(desk, session)
    })
  }

  const server: Server = options.tls ? createTlsServer(options.tls, connect) : createServer(connect)
  server.on('tlsClientError', () => {})
  await listen(server, options)
  const sweep = setInterval(() => {
    for (const session of sessions) guarded(() => tend(desk, session))
  }, 250)

  let inboundReference = 0
  return {
    // A server on a port has an address object.
    port: (server.address() as AddressInfo).port,
    binds: () =>
      [...sessions].map(({ account, mode, submits, awaiting }) => ({
        systemId: account?.systemId ?? '',
        mode,
        submits,
        awaiting: awaiting.size,
      })),
    deliverInbound(account, { from, to, text }) {
      const { dataCoding, esmClass, bodies } = encodeInbound(text, ++inboundReference)
      for (const body of bodies)
        postOffice.post(account, {
          deliver: { source: from, destination: to, esmClass, dataCoding, body, tlvs: [] },
          attempts: 0,
        })
      simulation.counts.inboundSent += 1
      return { isWaiting: postOffice.waiting(account) > 0 }
    },
    waiting: postOffice.waiting,
    reset() {
      joiner.clear()
      postOffice.clear()
    },
    async close() {
      clearInterval(sweep)
      for (const { socket } of sessions) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listen(server: Server, { host, port }: SmscOptions) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, 4096, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

type Desk = Parameters<typeof handleSubmit>[0] & { bound: Map<Account, Session[]> }

type PduHandler = (desk: Desk, session: Session, pdu: Buffer) => void

const transmits: readonly Mode[] = ['transmitter', 'transceiver']
const receives: readonly Mode[] = ['receiver', 'transceiver']
const isBound: readonly Mode[] = ['transmitter', 'receiver', 'transceiver']
const unbound: readonly Mode[] = ['open']

/** Command handlers and the bind states they are allowed in. */
const handlers: Record<number, { modes: readonly Mode[]; act: PduHandler }> = {
  [commands.bindTransmitter]: { modes: unbound, act: bindAs('transmitter') },
  [commands.bindReceiver]: { modes: unbound, act: bindAs('receiver') },
  [commands.bindTransceiver]: { modes: unbound, act: bindAs('transceiver') },
  [commands.submitSm]: { modes: transmits, act: handleSubmit },
  [commands.dataSm]: { modes: transmits, act: handleSubmit },
  [commands.querySm]: { modes: transmits, act: refuseWith(statuses.queryFailed) },
  [commands.cancelSm]: { modes: transmits, act: refuseWith(statuses.cancelFailed) },
  [commands.replaceSm]: { modes: transmits, act: refuseWith(statuses.replaceFailed) },
  [(commands.deliverSm | responseBit) >>> 0]: { modes: receives, act: acceptAnswer },
  [commands.unbind]: { modes: isBound, act: unbind },
}

function handle(desk: Desk, session: Session, pdu: Buffer) {
  if (session.isSilent || session.mode === 'closed') return
  const command = commandOf(pdu)
  const sequence = sequenceOf(pdu)
  if (command === commands.enquireLink)
    return respond(session, { command: (command | responseBit) >>> 0, status: 0, sequence })
  const handler = handlers[command]
  if (!handler) {
    // Responses need no reply; receiving an enquire_link_resp is enough.
    if (command < responseBit)
      respond(session, { command: commands.genericNack, status: statuses.invalidCommand, sequence })
    return
  }
  if (handler.modes.includes(session.mode)) return handler.act(desk, session, pdu)
  if (command < responseBit)
    respond(session, { command: (command | responseBit) >>> 0, status: statuses.wrongState, sequence })
}

function bindAs(mode: 'transmitter' | 'receiver' | 'transceiver'): PduHandler {
  return (desk, session, pdu) => {
    const header = { command: (commandOf(pdu) | responseBit) >>> 0, sequence: sequenceOf(pdu) }
    const { account, status } = checkBind(desk, pdu)
    if (!account) {
      respond(session, { ...header, status }, '')
      flush(session)
      session.socket.end()
      return
    }
    session.account = account
    session.mode = mode
    desk.bound.set(account, [...(desk.bound.get(account) ?? []), session])
    write(
      session,
      buildPdu({ ...header, status }, 'simulator', { tag: tags.interfaceVersion, value: Buffer.from([0x34]) }),
    )
    desk.postOffice.dispatch(account)
  }
}

function checkBind(desk: Desk, pdu: Buffer): { account?: Account; status: number } {
  try {
    const { systemId, password } = parseBind(pdu)
    const account = desk.simulation.accounts.find(systemId)
    if (!account) return { status: statuses.unknownSystemId }
    if (account.password !== password) return { status: statuses.wrongPassword }
    if ((desk.bound.get(account)?.length ?? 0) >= account.bindLimit) return { status: statuses.alreadyBound }
    return { account, status: statuses.ok }
  } catch (error) {
    if (error instanceof RangeError) return { status: statuses.bindFailed }
    throw error
  }
}

function refuseWith(status: number): PduHandler {
  return (_desk, session, pdu) =>
    respond(session, { command: (commandOf(pdu) | responseBit) >>> 0, status, sequence: sequenceOf(pdu) })
}

function acceptAnswer(desk: Desk, session: Session, pdu: Buffer) {
  desk.postOffice.answered(session, { sequence: sequenceOf(pdu), status: statusOf(pdu) })
}

function unbind(desk: Desk, session: Session, pdu: Buffer) {
  respond(session, { command: (commands.unbind | responseBit) >>> 0, status: 0, sequence: sequenceOf(pdu) })
  flush(session)
  release(desk, session)
  session.socket.end()
}

/** Releases a closed bind; unanswered deliveries go to other binds. */
function release(desk: Desk, session: Session) {
  session.mode = 'closed'
  const { account } = session
  if (!account) return
  desk.bound.set(
    account,
    (desk.bound.get(account) ?? []).filter((each) => each !== session),
  )
  desk.postOffice.reclaim(session)
}

const bindWithinMs = 30_000
const enquiryAnswerMs = 30_000

/** Periodic checks of a connection: idle time, late responses, missing bind. */
function tend(desk: Desk, session: Session) {
  const now = Date.now()
  const { account } = session
  if (!account) {
    if (now - session.openedAt > bindWithinMs) session.socket.destroy()
    return
  }
  desk.postOffice.reclaimOverdue(session)
  const idleMs = now - session.lastReceivedAt
  const isIdle = account.idleCloseMs > 0 && idleMs > account.idleCloseMs
  const isUnresponsive = session.enquiredAt !== undefined && now - session.enquiredAt > enquiryAnswerMs
  if (isIdle || isUnresponsive) session.socket.destroy()
  else if (account.enquireEveryMs > 0 && idleMs > account.enquireEveryMs && session.enquiredAt === undefined) {
    session.enquiredAt = now
    respond(session, { command: commands.enquireLink, status: 0, sequence: nextSequence(session) })
  }
}
