import { randomBytes } from 'node:crypto'
import type { Account } from '../accounts.ts'
import { type Result, rejectedByDlt } from '../results.ts'
import { seededRandom } from '../random.ts'
import type { Simulation } from '../simulation.ts'
import { checkDlt, type DltMessage } from './dlt.ts'
import { type Joiner, type Part, readPart } from './joiner.ts'
import { commandOf, findTlv, parseSubmit, responseBit, sequenceOf, statuses, type SubmitSm, tags } from './pdu.ts'
import type { PostOffice } from './post-office.ts'
import { buildReceipt, type ReportedMessage, writeMessageId } from './receipts.ts'
import { flush, respond, type Session } from './session.ts'
import { decodeText } from './texts.ts'

export type SubmitDesk = { simulation: Simulation; postOffice: PostOffice; joiner: Joiner }

const refusals: Partial<Record<Result['answer'], number>> = {
  throttled: statuses.throttled,
  'queue-full': statuses.queueFull,
  'system-error': statuses.systemError,
  'invalid-number': statuses.invalidDestination,
  unauthorized: statuses.submitFailed,
}

/** Handles one submit_sm or data_sm: outcome, phone, response, reports. */
export function handleSubmit(desk: SubmitDesk, session: Session, pdu: Buffer) {
  const { account } = session
  if (!account) return
  const answer = (status: number, id = '') =>
    respond(session, { command: (commandOf(pdu) | responseBit) >>> 0, status, sequence: sequenceOf(pdu) }, id)
  const message = tryRead(account, pdu)
  if (!message) return answer(statuses.invalidLength)
  if (account.window > 0 && session.unanswered >= account.window) return answer(statuses.throttled)

  const dlt = checkDlt(account, message.dlt)
  if (dlt === 'missing') return answer(statuses.missingTlv)

  const result = withDlt(desk.simulation.decideOutcome(account, message.to), dlt)
  if (result.answer === 'reset') session.socket.resetAndDestroy()
  else if (result.isAccepted) accept({ desk, session, account, result }, message, answer)
  else answer(refusals[result.answer] ?? statuses.systemError)
}

type Acceptance = { desk: SubmitDesk; session: Session; account: Account; result: Result }

function accept(acceptance: Acceptance, message: Message, answer: (status: number, id: string) => void) {
  const { desk, session, account, result } = acceptance
  const number = desk.simulation.nextMessageNumber()
  if (result.isReceived) showOnPhone(desk, account, message)
  const sendReports = () =>
    report({ desk, account, result, registered: message.registered }, { ...message, number, submittedAtMs: Date.now() })
  const finishAnswer = () =>
    respondAsPlanned(session, result, () => answer(statuses.ok, writeMessageId(number, account.answerIdBase)))

  if (result.reportsFirst) sendReports()
  delayAnswer({ desk, session, result, subject: message.to }, finishAnswer)
  if (!result.reportsFirst) sendReports()
  countSubmit(desk.simulation, session)
}

/** Undefined if the message is truncated. */
function tryRead(account: Account, pdu: Buffer): Message | undefined {
  try {
    return readMessage(account, parseSubmit(pdu))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Message = {
  from: string
  to: string
  text: string
  part: Part
  dataCoding: number
  registered: number
  dlt: DltMessage
}

function readMessage(account: Account, submit: SubmitSm): Message {
  const part = readPart(submit)
  const { text } = decodeText(part.body, { dataCoding: submit.dataCoding, defaultAlphabet: account.defaultAlphabet })
  const entityId = textTlv(submit, tags.entityId)
  const templateId = textTlv(submit, tags.templateId)
  const to = submit.destination.replace(/^\+/, '')
  // The template text is compared for complete messages only; parts of long messages are checked by their ids.
  const dlt = { entityId, templateId, header: submit.source, text: part.total > 1 ? '' : text }
  return {
    from: submit.source,
    to,
    text,
    part,
    dataCoding: submit.dataCoding,
    registered: submit.registeredDelivery & 3,
    dlt,
  }
}

function textTlv(submit: SubmitSm, tag: number): string | undefined {
  return findTlv(submit.tlvs, tag)?.toString('latin1').replace(/\0+$/, '')
}

function withDlt(result: Result, dlt: ReturnType<typeof checkDlt>): Result {
  if (typeof dlt === 'string' || !result.isAccepted) return result
  return { ...result, isReceived: false, reports: [rejectedByDlt(dlt.error)] }
}

function showOnPhone({ simulation, joiner }: SubmitDesk, account: Account, message: Message) {
  const joined = joiner.add(`${account.systemId} ${message.from} ${message.to}`, message.part)
  if (joined === 'repeated') simulation.counts.duplicateParts += 1
  if (typeof joined === 'string') return
  const { text, encoding } = decodeText(joined.body, {
    dataCoding: message.dataCoding,
    defaultAlphabet: account.defaultAlphabet,
  })
  simulation.handset.receive({
    number: message.to,
    peer: message.from,
    text,
    parts: joined.parts > 1 ? joined.parts : payloadParts(joined.body.length, encoding),
    encoding,
    account: account.systemId,
    via: 'smpp',
    entityId: message.dlt.entityId,
    templateId: message.dlt.templateId,
    // The SMPP reference has 16 bits and is chosen per connection, so messages are identified by their text.
    reference: undefined,
  })
}

/** Number of parts of a message_payload. */
function payloadParts(octets: number, encoding: string): number {
  const [single, each] = encoding === 'gsm7' ? [160, 153] : [140, 134]
  return octets <= single ? 1 : Math.ceil(octets / each)
}

function respondAsPlanned(session: Session, result: Result, answer: () => void) {
  if (result.answer === 'accept') return answer()
  if (result.answer === 'half-open') session.isSilent = true
  if (result.answer === 'drop' || result.answer === 'error-after') session.socket.destroy()
  if (result.answer === 'garbage') session.socket.write(randomBytes(64).fill(0xff, 0, 4))
  if (result.answer === 'answer-then-drop') {
    answer()
    flush(session)
    session.socket.destroySoon()
  }
}

/** Delays the response as the fault plan requires, and until reports that precede it are sent. */
function delayAnswer(
  delay: { desk: SubmitDesk; session: Session; result: Result; subject: string },
  answer: () => void,
) {
  const { desk, session, result } = delay
  const [minimum, maximum] = desk.simulation.plan().answerDelayMs
  const random = maximum > 0 ? seededRandom(desk.simulation.plan().seed, `answer ${delay.subject}`)() : 0
  const waitMs =
    minimum + random * (maximum - minimum) + (result.reportsFirst ? overtakeMs + longestReportDelay(result) : 0)
  if (waitMs === 0) return answer()
  session.unanswered += 1
  desk.simulation.scheduler.after(waitMs, () => {
    session.unanswered -= 1
    answer()
  })
}

const overtakeMs = 50

function longestReportDelay({ reports }: Result): number {
  return reports.reduce((longest, { afterMs }) => Math.max(longest, afterMs), 0)
}

type Reporting = { desk: SubmitDesk; account: Account; result: Result; registered: number }

function report({ desk, account, result, registered }: Reporting, message: ReportedMessage) {
  let left = result.reports.length
  const isWanted = (stat: string) =>
    registered === 1 || (registered === 2 && stat !== 'DELIVRD') || (registered === 3 && stat === 'DELIVRD')
  const settle = () => {
    left -= 1
    if (left === 0) desk.simulation.settle(account)
  }
  for (const each of result.reports) {
    const post = () => {
      if (isWanted(each.stat))
        desk.postOffice.post(account, { deliver: buildReceipt(account, message, each), attempts: 0, done: settle })
      else settle()
    }
    // Reports do not precede the response by chance: they are written in a later event-loop turn.
    if (each.afterMs > 0) desk.simulation.scheduler.after(each.afterMs, post)
    else post()
  }
}

/** Faults that depend on the number of submits per connection. */
function countSubmit(simulation: Simulation, session: Session) {
  session.submits += 1
  const { disconnectAfter, halfOpenAfter } = simulation.plan()
  if (halfOpenAfter > 0 && session.submits >= halfOpenAfter) {
    flush(session)
    session.isSilent = true
  } else if (disconnectAfter > 0 && session.submits >= disconnectAfter) {
    flush(session)
    session.socket.destroySoon()
  }
}
