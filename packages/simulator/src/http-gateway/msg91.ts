import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Account } from '../accounts.ts'
import type { Report, Stat } from '../results.ts'
import { type Callback, formBody, jsonBody } from './callbacks.ts'
import {
  digits,
  type Gateway,
  type HttpAnswer,
  type Refusal,
  refusalStatuses,
  sendAnswer,
  type Submission,
  countSubmissions,
} from './counter.ts'

const words: Record<Refusal, string> = {
  throttled: 'Too many requests',
  'queue-full': 'Service unavailable',
  'system-error': 'Internal error',
  'invalid-number': 'Invalid mobile number',
  unauthorized: 'Authentication failure',
  'missing-ids': 'DLT template id missing',
}

function refuse(refusal: Refusal): HttpAnswer {
  return { status: refusalStatuses[refusal], body: JSON.stringify({ type: 'error', message: words[refusal] }) }
}

function invalid(message: string): HttpAnswer {
  return { status: 400, body: JSON.stringify({ type: 'error', message }) }
}

type FlowBody = { template_id?: unknown; sender?: unknown; recipients?: unknown }
type SendBody = { sender?: unknown; DLT_TE_ID?: unknown; unicode?: unknown; sms?: unknown }

const mostRecipients = 1000

/** MSG91's interface: the flow of version 5 and the older sendsms. One request id for all recipients of a request. */
export function addMsg91(app: FastifyInstance, gateway: Gateway) {
  app.post<{ Body: FlowBody | null }>('/api/v5/flow', async (request, reply) => {
    const account = gateway.simulation.accounts.findByKey(keyOf(request.headers.authkey))
    if (!account) return sendAnswer(reply, refuse('unauthorized'))
    const { template_id: template, sender, recipients } = request.body ?? {}
    if (typeof template !== 'string' || template === '') return sendAnswer(reply, invalid('template_id is missing'))
    const rows = listOf(recipients).filter(isRecord)
    if (rows.length === 0 || rows.length > mostRecipients)
      return sendAnswer(reply, invalid(`recipients must be 1 to ${mostRecipients}`))

    const from = typeof sender === 'string' ? sender : 'MSG91'
    const messages = rows.map((row) => ({
      to: textOf(row.mobiles),
      from,
      text: flowText(account, template, row),
      templateId: template,
    }))
    return take(gateway, { account, messages, reply })
  })

  app.post<{ Body: SendBody | null }>('/api/v2/sendsms', async (request, reply) => {
    const account = gateway.simulation.accounts.findByKey(keyOf(request.headers.authkey))
    if (!account) return sendAnswer(reply, refuse('unauthorized'))
    const { sender, sms, DLT_TE_ID: template, unicode } = request.body ?? {}
    if (typeof sender !== 'string' || sender === '') return sendAnswer(reply, invalid('sender is missing'))
    const messages = listOf(sms)
      .filter(isRecord)
      .flatMap(({ message, to }) =>
        listOf(to).map((number) => ({
          to: textOf(number),
          from: sender,
          text: textOf(message),
          templateId: typeof template === 'string' ? template : undefined,
          isUnicode: textOf(unicode) === '1',
        })),
      )
    if (messages.length === 0 || messages.length > mostRecipients)
      return sendAnswer(reply, invalid(`sms must name 1 to ${mostRecipients} numbers`))
    return take(gateway, { account, messages, reply })
  })
}

type Message = Pick<Submission, 'to' | 'from' | 'text' | 'templateId' | 'isUnicode'>

function take(
  gateway: Gateway,
  { account, messages, reply }: { account: Account; messages: Message[]; reply: Parameters<typeof sendAnswer>[0] },
) {
  if (messages.some(({ to }) => digits(to) === '')) return sendAnswer(reply, refuse('invalid-number'))
  const id = randomBytes(12).toString('hex')
  // The one id that MSG91 requires implies its entity; the registry check uses the first one of that template.
  const entityOf = (templateId: string | undefined) =>
    account.dlt?.templates.find((template) => template.templateId === templateId)?.entityId ??
    (templateId ? 'unknown' : undefined)
  const submissions = messages.map((message): Submission => {
    const to = digits(message.to)
    return {
      ...message,
      account,
      via: 'msg91',
      to,
      id,
      entityId: entityOf(message.templateId),
      callback: (report) => statusCallback(account, { id, to, from: message.from }, report),
    }
  })
  return countSubmissions(gateway, {
    submissions,
    formats: { taken: { status: 200, body: JSON.stringify({ type: 'success', message: id }) }, refused: refuse },
    reply,
  })
}

const codes: Partial<Record<Stat, [status: string, words: string]>> = {
  DELIVRD: ['1', 'DELIVERED'],
  UNDELIV: ['2', 'FAILED'],
  EXPIRED: ['2', 'FAILED'],
  DELETED: ['2', 'FAILED'],
  UNKNOWN: ['2', 'FAILED'],
  REJECTD: ['16', 'REJECTED'],
}

type Reported = { id: string; to: string; from: string }

/** Intermediate states are not reported by MSG91. */
function statusCallback(account: Account, message: Reported, report: Report): Callback | undefined {
  const { statusWebhook } = account
  const code = report.error === '650' ? (['9', 'NDNC NUMBER'] as const) : codes[report.stat]
  if (!statusWebhook || !code) return undefined
  const [status, desc] = code
  const id = report.stranger ? randomBytes(12).toString('hex') : message.id
  const date = indianTime(new Date())
  const failedReason = report.stat === 'DELIVRD' ? '' : `${report.stat} ${report.error}`
  const { url, version } = statusWebhook
  if (version === 'v4')
    return {
      url,
      ...jsonBody([
        {
          data: [{ meta: `${id}:${message.to}`, INMSID: id, description: desc, ts: Math.floor(Date.now() / 1000) }],
          event: desc.toLowerCase(),
        },
      ]),
    }
  if (version === 'v3')
    return {
      url,
      ...jsonBody({
        date,
        number: message.to,
        senderId: message.from,
        requestId: id,
        credit: 1,
        amount: '0',
        userId: account.systemId,
        campaignName: 'API',
        status,
        desc,
        failedReason,
      }),
    }
  const report2 = { date, number: message.to, status, desc, failedReason, credit: '1', amount: '0' }
  return {
    url,
    ...formBody({
      data: JSON.stringify([
        { senderId: message.from, requestId: id, userId: account.systemId, campaignName: 'API', report: [report2] },
      ]),
    }),
  }
}

/** Dates are Indian time without an offset. */
function indianTime(date: Date): string {
  return new Date(date.getTime() + 330 * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

function flowText(account: Account, templateId: string, row: Record<string, unknown>): string {
  const variables = Object.entries(row).filter(([name]) => name !== 'mobiles')
  const template = account.flowTemplates[templateId]
  if (template === undefined)
    return `${templateId} ${variables.map(([name, value]) => `${name}=${textOf(value)}`).join(' ')}`.trim()
  return variables.reduce((text, [name, value]) => text.replaceAll(`##${name}##`, textOf(value)), template)
}

function keyOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? value.toString() : ''
}
