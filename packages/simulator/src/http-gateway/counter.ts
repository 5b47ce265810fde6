import type { FastifyReply } from 'fastify'
import type { Account } from '../accounts.ts'
import { type Result, type Report, rejectedByDlt, acceptedAnswers } from '../results.ts'
import type { AnswerFault } from '../faults.ts'
import type { Via } from '../handset.ts'
import { checkDlt } from '../smsc/dlt.ts'
import type { Simulation } from '../simulation.ts'
import type { Callback, Callbacks } from './callbacks.ts'

export type Gateway = { simulation: Simulation; callbacks: Callbacks }

export type Submission = {
  account: Account
  via: Via
  /** Digits only. */
  to: string
  from: string
  text: string
  isUnicode?: boolean | undefined
  entityId?: string | undefined
  templateId?: string | undefined
  reference?: string | undefined
  /** The id of the message in this interface. */
  id: string
  /** How this interface reports to the customer; undefined if no report was requested. */
  callback: ((report: Report) => Callback | undefined) | undefined
  onAccepted?: () => void
}

export type HttpAnswer = { status: number; type?: 'application/json' | 'text/plain'; body: string }

export type Refusal = 'throttled' | 'queue-full' | 'system-error' | 'invalid-number' | 'unauthorized' | 'missing-ids'

/** The response formats of an interface. */
export type ResponseFormats = { taken: HttpAnswer; refused(refusal: Refusal): HttpAnswer }

/** Accepts the messages of one request: the first one's outcome decides the response. */
export async function countSubmissions(
  gateway: Gateway,
  { submissions, formats, reply }: { submissions: Submission[]; formats: ResponseFormats; reply: FastifyReply },
) {
  const { simulation } = gateway
  let answer: Result['answer'] | 'missing-ids' = 'accept'
  for (const [index, submission] of submissions.entries()) {
    const dlt = checkDlt(submission.account, {
      entityId: submission.entityId,
      templateId: submission.templateId,
      header: submission.from,
      text: submission.text,
    })
    const result = simulation.decideOutcome(submission.account, submission.to)
    const decided = dlt === 'missing' ? 'missing-ids' : result.answer
    if (index === 0) answer = decided
    // A request is rejected as a whole, by the outcome of its first message.
    if (!isAccepted(answer)) break
    if (!result.isAccepted || dlt === 'missing') continue
    const settled =
      typeof dlt === 'string' ? result : { ...result, isReceived: false, reports: [rejectedByDlt(dlt.error)] }
    submission.onAccepted?.()
    deliver(gateway, submission, settled)
    if (settled.reportsFirst) await overtaken(settled)
  }
  return respondOrClose(simulation, reply, { answer, formats })
}

function isAccepted(answer: string): boolean {
  return acceptedAnswers.has(answer)
}

function deliver({ simulation, callbacks }: Gateway, submission: Submission, result: Result) {
  const { account, via, to, from, text, isUnicode, entityId, templateId, reference, callback } = submission
  if (result.isReceived) {
    const { encoding, parts } = countParts(text, isUnicode)
    simulation.handset.receive({
      number: to,
      peer: from,
      text,
      parts,
      encoding,
      account: account.systemId,
      via,
      entityId,
      templateId,
      reference,
    })
  }
  let left = result.reports.length
  const done = () => {
    left -= 1
    if (left === 0) simulation.settle(account)
  }
  for (const report of result.reports) {
    const post = () => {
      const prepared = callback?.(report)
      if (!prepared) return done()
      simulation.counts.reportsSent += 1
      callbacks.send({ ...prepared, done })
    }
    if (report.afterMs > 0) simulation.scheduler.after(report.afterMs, post)
    else if (result.reportsFirst) post()
    // Usually after the response, so that the caller knows the id before the first report.
    else setImmediate(post)
  }
}

const overtakeMs = 100

function overtaken({ reports }: Result): Promise<void> {
  const longest = reports.reduce((most, { afterMs }) => Math.max(most, afterMs), 0)
  return new Promise((resolve) => setTimeout(resolve, longest + overtakeMs))
}

/** The billed parts; characters outside GSM 03.38 are counted as UCS-2. */
export function countParts(text: string, isUnicode?: boolean): { encoding: 'gsm7' | 'ucs2'; parts: number } {
  const extended = text.match(/[\f^{}\\[~\]|€]/g)?.length ?? 0
  const isPlain = !isUnicode && /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ -_a-zäöñüàÄÖÑÜ§¿¡¤\f{}~|€]*$/.test(text)
  const length = isPlain ? text.length + extended : text.length
  const [single, each] = isPlain ? [160, 153] : [70, 67]
  return { encoding: isPlain ? 'gsm7' : 'ucs2', parts: length <= single ? 1 : Math.ceil(length / each) }
}

export type Ending = { answer: Result['answer'] | 'missing-ids'; formats: ResponseFormats }

/** Sends the response, or closes the connection without one, as the outcome requires. */
export function respondOrClose(simulation: Simulation, reply: FastifyReply, { answer, formats }: Ending) {
  const refusal = refusalOf(answer)
  if (refusal) {
    if (refusal === 'throttled') reply.header('retry-after', '1')
    return sendAnswer(reply, formats.refused(refusal))
  }
  if (answer === 'accept') return sendAnswer(reply, formats.taken)
  if (answer === 'garbage')
    return sendAnswer(reply, { ...formats.taken, status: 200, body: `{"${formats.taken.body.slice(0, 7)}` })
  if (answer === 'error-after') return sendAnswer(reply, formats.refused('system-error'))
  if (answer === 'answer-then-drop') {
    reply.raw.once('finish', () => reply.raw.socket?.destroy())
    return sendAnswer(reply, formats.taken)
  }
  reply.hijack()
  const { socket } = reply.raw
  if (answer === 'silence' || answer === 'half-open')
    simulation.scheduler.after(simulation.plan().silenceMs, () => socket?.destroy())
  else if (answer === 'reset') socket?.resetAndDestroy()
  else socket?.destroy()
  return reply
}

function refusalOf(answer: Ending['answer']): Refusal | undefined {
  const refusals: Partial<Record<AnswerFault | 'missing-ids' | 'accept', Refusal>> = {
    throttled: 'throttled',
    'queue-full': 'queue-full',
    'system-error': 'system-error',
    'invalid-number': 'invalid-number',
    unauthorized: 'unauthorized',
    'missing-ids': 'missing-ids',
  }
  return refusals[answer]
}

export function sendAnswer(reply: FastifyReply, { status, type, body }: HttpAnswer) {
  return reply
    .code(status)
    .type(type ?? 'application/json')
    .send(body)
}

export const refusalStatuses: Record<Refusal, number> = {
  throttled: 429,
  'queue-full': 503,
  'system-error': 500,
  'invalid-number': 400,
  unauthorized: 401,
  'missing-ids': 400,
}

export function digits(number: string): string {
  return number.replace(/\D/g, '')
}
