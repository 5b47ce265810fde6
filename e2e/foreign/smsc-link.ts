import type { Socket } from 'node:net'
import {
  commandId,
  commandStatus,
  cString,
  frameCutter,
  readBind,
  readSubmit,
  response,
  writeDeliver,
  writeFrame,
  type DeliverSm,
  type Frame,
  type SubmitSm,
} from './smpp-wire.ts'

export type SmscLink = {
  /** Bound as a receiver or a transceiver. */
  receives(): boolean
  deliver(delivery: DeliverSm, onAnswer: (status: number) => void): void
  destroy(): void
}

export type SmscLinkHooks = {
  /** While true, reads and answers nothing. */
  isSilent(): boolean
  isWelcome(bind: { systemId: string; password: string }): boolean
  onBound(): void
  onSubmit(submit: SubmitSm, answer: (status: number, body: Buffer) => void): void
  /** Includes unacknowledged deliveries. */
  onClosed(unanswered: DeliverSm[]): void
}

const binds: readonly number[] = [commandId.bindReceiver, commandId.bindTransmitter, commandId.bindTransceiver]
const empty = Buffer.alloc(0)

type Delivering = { delivery: DeliverSm; onAnswer: (status: number) => void }
type State = { socket: Socket; hooks: SmscLinkHooks; boundAs: number; sequence: number; open: Map<number, Delivering> }

/** One connection of an ESME. */
export function openSmscLink(socket: Socket, hooks: SmscLinkHooks): SmscLink {
  const link: State = { socket, hooks, boundAs: 0, sequence: 0, open: new Map() }
  const cut = frameCutter((frame) => take(link, frame))
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    if (!hooks.isSilent()) cut(chunk)
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    link.boundAs = 0
    hooks.onClosed([...link.open.values()].map(({ delivery }) => delivery))
  })
  return {
    receives: () => link.boundAs === commandId.bindReceiver || link.boundAs === commandId.bindTransceiver,
    deliver(delivery, onAnswer) {
      link.sequence += 1
      link.open.set(link.sequence, { delivery, onAnswer })
      write(link, {
        command: commandId.deliverSm,
        status: 0,
        sequence: link.sequence,
        body: writeDeliver(delivery),
      })
    },
    destroy: () => socket.destroy(),
  }
}

function write({ socket, hooks }: State, frame: Frame) {
  if (socket.writable && !hooks.isSilent()) socket.write(writeFrame(frame))
}

function take(link: State, frame: Frame) {
  const { command, status, sequence, body } = frame
  const answer = (code: number, content: Buffer) =>
    write(link, { command: (command | response) >>> 0, status: code, sequence, body: content })

  if (binds.includes(command)) return takeBind(link, frame, answer)
  if (command === (commandId.deliverSm | response) >>> 0) {
    const delivering = link.open.get(sequence)
    link.open.delete(sequence)
    return delivering?.onAnswer(status)
  }
  if (command === commandId.enquireLink) return answer(commandStatus.ok, empty)
  if (command === commandId.unbind) {
    answer(commandStatus.ok, empty)
    return void link.socket.end()
  }
  if (command === commandId.submitSm) {
    const mayUse = link.boundAs === commandId.bindTransmitter || link.boundAs === commandId.bindTransceiver
    return mayUse ? link.hooks.onSubmit(readSubmit(body), answer) : answer(commandStatus.notBound, empty)
  }
  if (command < response)
    write(link, { command: commandId.genericNack, status: commandStatus.invalidCommand, sequence, body: empty })
}

function takeBind(link: State, { command, body }: Frame, answer: (status: number, body: Buffer) => void) {
  if (!link.hooks.isWelcome(readBind(body))) {
    answer(commandStatus.bindFailed, empty)
    return void link.socket.end()
  }
  answer(commandStatus.ok, cString('FOREIGN'))
  link.boundAs = command
  link.hooks.onBound()
}
