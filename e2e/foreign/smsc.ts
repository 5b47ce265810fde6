/**
 * An SMSC for tests, written from the SMPP 3.4 standard alone. It answers binds, submit_sm, enquire_link and unbind, sends
 * receipts as deliver_sm until they are answered with 0, and keeps a list of what each handset received. Its options are the
 * ways in which real SMSCs differ:
 *
 * | option            | what it does                                                                                    |
 * |-------------------|-------------------------------------------------------------------------------------------------|
 * | port              | listens there; 0, the default, takes a free port                                                |
 * | password          | refuses binds with another one (ESME_RBINDFAIL)                                                 |
 * | firstId           | ids count from here: 1 by default                                                               |
 * | answerIds         | how submit_sm_resp writes ids: base 10 or 16, padded to a width, upper case                     |
 * | receiptIds        | how receipts write them; as in the answer by default                                            |
 * | receipts          | what a receipt holds: its text, receipted_message_id, message_state; the text alone by default  |
 * | receiptFrom       | source address of a receipt: the number as submitted, with '+', or empty                        |
 * | fate              | a receipt's state for a message: 'DELIVRD' by default; undefined sends none                     |
 * | receiptDelayMs    | time between the answer and the receipt; a negative one sends the receipt before the answer     |
 * | zoneMinutes       | the receipts' local time, as minutes east of UTC                                                |
 * | clockErrorMs      | added to the receipts' times                                                                    |
 * | answerDelayMs     | time until submit number n is answered; undefined never answers it                              |
 * | ratePerSecond     | submits above it are answered ESME_RTHROTTLED and reach no handset                              |
 * | burst             | how many submits may come at once under that limit: a tenth of a second's worth by default      |
 *
 * While it runs: `stopAnswering` leaves connections open and silent (half-open), `restart` closes them and may set the
 * counter of ids back, `holdReceipts` and `releaseReceipts` control when receipts are sent, `report` sends an extra receipt, `sendText`
 * sends an inbound message.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { openSmscLink, type SmscLink } from './smsc-link.ts'
import { writeId, writeReceipt, type IdFormat, type ReceiptParts, type ReceiptStyle } from './smsc-receipts.ts'
import { commandStatus, cString, readText, type DeliverSm, type SubmitSm } from './smpp-wire.ts'

export type HandsetMessage = {
  /** Its index among all accepted submits, from 0. */
  index: number
  id: number
  from: string
  to: string
  text: string
  at: number
  submit: SubmitSm
}

export type ForeignSmscOptions = {
  port?: number
  password?: string
  firstId?: number
  answerIds?: IdFormat
  receiptIds?: IdFormat
  receipts?: ReceiptParts
  receiptFrom?: 'as-submitted' | 'with-plus' | 'empty'
  fate?: (message: HandsetMessage) => string | undefined
  receiptDelayMs?: (message: HandsetMessage) => number
  zoneMinutes?: number
  clockErrorMs?: number
  answerDelayMs?: (n: number) => number | undefined
  ratePerSecond?: number
  burst?: number
}

export type ForeignSmsc = {
  port: number
  /** All received messages, in order. */
  messages: HandsetMessage[]
  handset(number: string): HandsetMessage[]
  /** May be changed while it runs. */
  options: ForeignSmscOptions
  counts: { submits: number; throttled: number; binds: number; receiptsAnswered: number; receiptsRefused: number }
  connections(): number
  /** Receipts not yet acknowledged with 0, including held ones. */
  receiptsOpen(): number
  stopAnswering(): void
  startAnswering(): void
  holdReceipts(): void
  releaseReceipts(): void
  report(message: HandsetMessage, state: string): void
  sendText(text: { from: string; to: string; text: string }): void
  restart(reset?: { firstId?: number }): void
  close(): Promise<void>
}

const retryReceiptMs = 500

export async function startForeignSmsc(options: ForeignSmscOptions = {}): Promise<ForeignSmsc> {
  const smsc = createState(options)
  const server = createServer((socket) => accept(smsc, socket))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server has an address and a port.
  const { port } = server.address() as AddressInfo
  return {
    port,
    messages: smsc.messages,
    handset: (number) => smsc.messages.filter(({ to }) => to === number.replace('+', '')),
    options,
    counts: smsc.counts,
    connections: () => smsc.links.size,
    receiptsOpen: () => smsc.waiting.length + smsc.open,
    stopAnswering: () => void (smsc.isSilent = true),
    startAnswering: () => void (smsc.isSilent = false),
    holdReceipts: () => void (smsc.isHolding = true),
    releaseReceipts() {
      smsc.isHolding = false
      pump(smsc)
    },
    report: (message, state) => send(smsc, writeReceipt(message, state, styleOf(options))),
    sendText: ({ from, to, text }) => send(smsc, { from, to, text, esmClass: 0, tlvs: Buffer.alloc(0) }),
    restart(reset) {
      if (reset?.firstId !== undefined) smsc.nextId = reset.firstId
      for (const link of smsc.links) link.destroy()
    },
    async close() {
      for (const timer of smsc.timers) clearTimeout(timer)
      server.close()
      for (const link of smsc.links) link.destroy()
      await once(server, 'close')
    },
  }
}

type State = {
  options: ForeignSmscOptions
  messages: HandsetMessage[]
  counts: ForeignSmsc['counts']
  nextId: number
  links: Set<SmscLink>
  timers: Set<NodeJS.Timeout>
  isSilent: boolean
  isHolding: boolean
  /** Receipts that wait for a connection or are held. */
  waiting: DeliverSm[]
  /** Sent or about to be sent, without a response. */
  open: number
  tokens: number
  filledAt: number
}

function createState(options: ForeignSmscOptions): State {
  return {
    options,
    messages: [],
    counts: { submits: 0, throttled: 0, binds: 0, receiptsAnswered: 0, receiptsRefused: 0 },
    nextId: options.firstId ?? 1,
    links: new Set(),
    timers: new Set(),
    isSilent: false,
    isHolding: false,
    waiting: [],
    open: 0,
    tokens: burstOf(options),
    filledAt: performance.now(),
  }
}

function burstOf({ ratePerSecond = 0, burst = Math.ceil(ratePerSecond / 10) }: ForeignSmscOptions): number {
  return Math.max(1, burst)
}

function accept(smsc: State, socket: Socket) {
  const link = openSmscLink(socket, {
    isSilent: () => smsc.isSilent,
    isWelcome: ({ password }) => smsc.options.password === undefined || smsc.options.password === password,
    onBound() {
      smsc.counts.binds += 1
      pump(smsc)
    },
    onSubmit: (submit, answer) => takeSubmit(smsc, submit, answer),
    onClosed(unanswered) {
      smsc.links.delete(link)
      smsc.open -= unanswered.length
      smsc.waiting.unshift(...unanswered)
      pump(smsc)
    },
  })
  smsc.links.add(link)
}

function takeSubmit(smsc: State, submit: SubmitSm, answer: (status: number, body: Buffer) => void) {
  const n = smsc.counts.submits++
  const delayMs = smsc.options.answerDelayMs?.(n) ?? (smsc.options.answerDelayMs ? undefined : 0)
  if (!takeToken(smsc)) {
    smsc.counts.throttled += 1
    return later(smsc, delayMs, () => answer(commandStatus.throttled, Buffer.alloc(0)))
  }
  const message: HandsetMessage = {
    index: smsc.messages.length,
    id: smsc.nextId++,
    from: submit.from,
    to: submit.to,
    text: readText(submit),
    at: Date.now(),
    submit,
  }
  smsc.messages.push(message)
  const receiptDelayMs = smsc.options.receiptDelayMs?.(message) ?? 0
  if (receiptDelayMs < 0) sendReceipt(smsc, message)
  later(smsc, delayMs, () => {
    answer(commandStatus.ok, cString(writeId(message.id, smsc.options.answerIds)))
    if (receiptDelayMs >= 0) later(smsc, receiptDelayMs, () => sendReceipt(smsc, message))
  })
}

/** A token bucket. */
function takeToken(smsc: State): boolean {
  const { ratePerSecond } = smsc.options
  if (ratePerSecond === undefined) return true
  const now = performance.now()
  smsc.tokens = Math.min(burstOf(smsc.options), smsc.tokens + ((now - smsc.filledAt) / 1000) * ratePerSecond)
  smsc.filledAt = now
  if (smsc.tokens < 1) return false
  smsc.tokens -= 1
  return true
}

function later(smsc: State, delayMs: number | undefined, act: () => void) {
  if (delayMs === undefined) return
  if (delayMs <= 0) return act()
  const timer = setTimeout(() => {
    smsc.timers.delete(timer)
    act()
  }, delayMs)
  smsc.timers.add(timer)
}

function sendReceipt(smsc: State, message: HandsetMessage) {
  const state = smsc.options.fate ? smsc.options.fate(message) : 'DELIVRD'
  const wanted = message.submit.registeredDelivery & 3
  if (state === undefined || wanted === 0 || (wanted === 2 && state === 'DELIVRD')) return
  send(smsc, writeReceipt(message, state, styleOf(smsc.options)))
}

function styleOf(options: ForeignSmscOptions): ReceiptStyle {
  return {
    ids: options.receiptIds ?? options.answerIds,
    parts: options.receipts ?? { text: true },
    from: options.receiptFrom ?? 'as-submitted',
    zoneMinutes: options.zoneMinutes ?? 0,
    now: Date.now() + (options.clockErrorMs ?? 0),
  }
}

function send(smsc: State, delivery: DeliverSm) {
  smsc.waiting.push(delivery)
  pump(smsc)
}

/** Sends waiting receipts over the receiving connections in turn. */
function pump(smsc: State) {
  const links = [...smsc.links].filter((link) => link.receives())
  if (smsc.isHolding || links.length === 0) return
  for (const [index, delivery] of smsc.waiting.splice(0).entries()) {
    smsc.open += 1
    links[index % links.length]?.deliver(delivery, (status) => {
      smsc.open -= 1
      if (status === 0) {
        smsc.counts.receiptsAnswered += 1
        return
      }
      smsc.counts.receiptsRefused += 1
      smsc.open += 1
      later(smsc, retryReceiptMs, () => {
        smsc.open -= 1
        send(smsc, delivery)
      })
    })
  }
}
