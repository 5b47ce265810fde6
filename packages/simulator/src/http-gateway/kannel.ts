import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Report, Stat } from '../results.ts'
import { type Callback, readUrl } from './callbacks.ts'
import {
  digits,
  type Gateway,
  type HttpAnswer,
  type Refusal,
  sendAnswer,
  type Submission,
  countSubmissions,
} from './counter.ts'
import { readFields } from './requests.ts'

const refusals: Record<Refusal, [status: number, words: string]> = {
  throttled: [429, 'Throttled, try again later.'],
  'queue-full': [503, 'Temporal failure, try again later.'],
  'system-error': [500, 'Internal error.'],
  'invalid-number': [400, 'Invalid receiver.'],
  unauthorized: [403, 'Authorization failed for sendsms'],
  'missing-ids': [400, 'Missing meta-data.'],
}

function plain(status: number, body: string): HttpAnswer {
  return { status, type: 'text/plain', body }
}

const refuse = (refusal: Refusal) => plain(...refusals[refusal])

/** Kannel's sendsms interface, GET or POST. The mask selects the reported states. */
export function addKannel(app: FastifyInstance, gateway: Gateway) {
  app.route({
    method: ['GET', 'POST'],
    url: '/cgi-bin/sendsms',
    async handler(request, reply) {
      const fields = readFields(request)
      const account = gateway.simulation.accounts.signIn(fields.username ?? fields.user, fields.password ?? fields.pass)
      if (!account) return sendAnswer(reply, refuse('unauthorized'))
      const numbers = (fields.to ?? '')
        .split(/[\s,]+/)
        .map(digits)
        .filter(Boolean)
      if (numbers.length === 0) return sendAnswer(reply, plain(400, 'Missing receiver number, rejected'))
      if (fields.text === undefined) return sendAnswer(reply, plain(400, 'Missing text, rejected'))

      const from = fields.from ?? account.systemId
      const dlrUrl = fields['dlr-url']
      const mask = Number(fields['dlr-mask'] ?? '0')
      const submissions = numbers.map((to): Submission => {
        const reported = { id: randomUUID(), to, from }
        return {
          account,
          via: 'kannel',
          to,
          from,
          text: fields.text ?? '',
          isUnicode: fields.coding === '2',
          entityId: metaData(fields['meta-data'], 'PE_ID'),
          templateId: metaData(fields['meta-data'], 'TEMPLATE_ID'),
          id: reported.id,
          callback: dlrUrl ? (report) => dlrCallback({ url: dlrUrl, mask }, reported, report) : undefined,
        }
      })
      return countSubmissions(gateway, {
        submissions,
        formats: { taken: plain(202, '0: Accepted for delivery'), refused: refuse },
        reply,
      })
    },
  })
}

const states: Record<Stat, number> = {
  DELIVRD: 1,
  UNDELIV: 2,
  EXPIRED: 0x22,
  UNKNOWN: 0x42,
  DELETED: 2,
  ENROUTE: 4,
  ACCEPTD: 8,
  REJECTD: 16,
}

/** In the address each %x is a placeholder for a value of the report. */
function dlrCallback(
  asked: { url: string; mask: number },
  message: { id: string; to: string; from: string },
  report: Report,
): Callback | undefined {
  const state = states[report.stat]
  if ((asked.mask & state) === 0) return undefined
  const id = report.stranger ? randomUUID() : message.id
  const values: Record<string, string> = {
    d: String(state),
    T: String(Math.floor(Date.now() / 1000)),
    t: new Date().toISOString().slice(0, 19).replace('T', ' '),
    A: `stat:${report.stat} err:${report.error}`,
    F: id,
    I: id,
    i: 'simulator',
    p: message.from,
    P: message.to,
    q: message.from,
    Q: message.to,
  }
  const url = readUrl(
    asked.url.replaceAll(/%([dTtAFIipPqQ])(?![0-9A-Fa-f])/g, (_whole, letter: string) =>
      encodeURIComponent(values[letter] ?? ''),
    ),
  )
  return url ? { url, method: 'GET' } : undefined
}

/** `?smpp?PE_ID=…&TEMPLATE_ID=…` */
function metaData(text: string | undefined, name: string): string | undefined {
  return new URLSearchParams(text?.replace(/^\?smpp\?/, '')).get(name) ?? undefined
}
