import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../accounts.ts'
import type { Report } from '../results.ts'
import { type Callback, jsonBody, readUrl } from './callbacks.ts'
import {
  digits,
  type Gateway,
  type HttpAnswer,
  type Refusal,
  refusalStatuses,
  sendAnswer,
  countSubmissions,
} from './counter.ts'
import { basicAccount, readFields } from './requests.ts'

function refuse(refusal: Refusal): HttpAnswer {
  return { status: refusalStatuses[refusal], body: JSON.stringify({ error: refusal }) }
}

function invalid(field: string): HttpAnswer {
  return { status: 400, body: JSON.stringify({ error: 'invalid-request', field }) }
}

const rememberedKeys = 500_000

/**
 * A modern gateway: JSON request, id in the response, reports to the URL in the request.
 * With `?keyed=1` a repeated Idempotency-Key returns the first id and does not send again.
 */
export function addPlain(app: FastifyInstance, gateway: Gateway) {
  const idByKey = new Map<string, string>()

  app.post<{ Querystring: { keyed?: string } }>('/gateway/send', async (request, reply) => {
    const account = basicAccount(gateway.simulation, request)
    if (!account) return sendAnswer(reply, refuse('unauthorized'))
    const { to: number = '', from = '', text, ref, dlrUrl, entityId, templateId } = readFields(request)
    const to = digits(number)
    if (!to) return sendAnswer(reply, invalid('to'))
    if (text === undefined || text === '') return sendAnswer(reply, invalid('text'))

    const key = readKey(account, request)
    const known = key === undefined ? undefined : idByKey.get(key)
    if (known !== undefined) return sendAnswer(reply, taken(known))

    const id = randomUUID()
    const reported = { id, to, ...(ref === undefined ? {} : { ref }) }
    const url = readUrl(dlrUrl)
    const rememberKey = () => key !== undefined && remember(idByKey, key, id)
    return countSubmissions(gateway, {
      submissions: [
        {
          account,
          via: 'plain',
          to,
          from,
          text,
          entityId,
          templateId,
          reference: ref,
          id,
          callback: url ? (report) => dlrCallback(url, reported, report) : undefined,
          onAccepted: rememberKey,
        },
      ],
      formats: { taken: taken(id), refused: refuse },
      reply,
    })
  })
}

function readKey(account: Account, request: FastifyRequest<{ Querystring: { keyed?: string } }>): string | undefined {
  const key = request.headers['idempotency-key']
  return request.query.keyed === '1' && typeof key === 'string' ? `${account.systemId} ${key}` : undefined
}

export function plainInbound(url: string, message: { from: string; to: string; text: string }): Callback {
  return { url, ...jsonBody({ id: randomUUID(), ...message, at: new Date().toISOString() }) }
}

function taken(id: string): HttpAnswer {
  return { status: 200, body: JSON.stringify({ id }) }
}

function remember(idByKey: Map<string, string>, key: string, id: string) {
  idByKey.set(key, id)
  if (idByKey.size <= rememberedKeys) return
  const [oldest] = idByKey.keys()
  if (oldest !== undefined) idByKey.delete(oldest)
}

function dlrCallback(url: string, message: { id: string; to: string; ref?: string }, report: Report): Callback {
  const id = report.stranger ? randomUUID() : message.id
  return {
    url,
    ...jsonBody({ ...message, id, status: report.stat, error: report.error, at: new Date().toISOString() }),
  }
}
