import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Report } from '../results.ts'
import { type Callback, formBody, readUrl } from './callbacks.ts'
import { digits, type Gateway, type HttpAnswer, type Refusal, sendAnswer, countSubmissions } from './counter.ts'
import { type Fields, readFields } from './requests.ts'

const refusals: Record<Refusal, [status: number, words: string]> = {
  throttled: [429, 'Throughput exceeded'],
  'queue-full': [503, 'Queue is full'],
  'system-error': [500, 'Cannot send submit_sm, check SMPPClientManagerPB log file for details'],
  'invalid-number': [412, 'No route found'],
  unauthorized: [403, 'Authentication failure'],
  'missing-ids': [400, 'Mandatory TLV is missing'],
}

function plain(status: number, body: string): HttpAnswer {
  return { status, type: 'text/plain', body }
}

function refuse(refusal: Refusal): HttpAnswer {
  const [status, words] = refusals[refusal]
  return plain(status, `Error "${words}"`)
}

const acknowledgment = 'ACK/Jasmin'
const isAcknowledged = (status: number, body: string) => status === 200 && body.trim() === acknowledgment

/** Jasmin's HTTP API: reports are repeated until the response is `ACK/Jasmin`. */
export function addJasmin(app: FastifyInstance, gateway: Gateway) {
  app.route({
    method: ['GET', 'POST'],
    url: '/send',
    async handler(request, reply) {
      const fields = readFields(request)
      const account = gateway.simulation.accounts.signIn(fields.username, fields.password)
      if (!account) return sendAnswer(reply, refuse('unauthorized'))
      const to = digits(fields.to ?? '')
      const text = readText(fields)
      if (!to || text === undefined)
        return sendAnswer(reply, plain(400, `Error "Mandatory argument [${to ? 'content' : 'to'}] is not found."`))

      const id = randomUUID()
      const asked = readAsked(fields)
      const tlvs = fields.custom_tlvs ?? ''
      return countSubmissions(gateway, {
        submissions: [
          {
            account,
            via: 'jasmin',
            to,
            from: fields.from ?? '',
            text,
            isUnicode: fields.coding === '8',
            entityId: customTlv(tlvs, 0x1400),
            templateId: customTlv(tlvs, 0x1401),
            id,
            callback: asked && ((report) => dlrCallback(asked, { id, text }, report)),
          },
        ],
        formats: { taken: plain(200, `Success "${id}"`), refused: refuse },
        reply,
      })
    },
  })
}

function readAsked(fields: Fields): JasminCallback | undefined {
  const url = fields.dlr === 'yes' ? readUrl(fields['dlr-url']) : undefined
  if (!url) return undefined
  return {
    url,
    level: Number(fields['dlr-level'] ?? '1'),
    method: fields['dlr-method']?.toUpperCase() === 'GET' ? 'GET' : 'POST',
  }
}

export function jasminInbound(url: string, message: { from: string; to: string; text: string }): Callback {
  return {
    url,
    ...formBody({
      id: randomUUID(),
      from: message.from,
      to: message.to,
      'origin-connector': 'simulator',
      priority: '1',
      coding: '0',
      content: message.text,
    }),
    isAccepted: isAcknowledged,
  }
}

function readText(fields: Fields): string | undefined {
  const hex = fields['hex-content']
  if (hex === undefined) return fields.content
  const bytes = Buffer.from(hex, 'hex')
  return fields.coding === '8' ? bytes.swap16().toString('utf16le') : bytes.toString('latin1')
}

/** `[[5120, null, "Int8", "1101…"], …]`: a list of tag, length, type and value. */
function customTlv(text: string, tag: number): string | undefined {
  try {
    const rows: unknown = JSON.parse(text)
    const row = Array.isArray(rows)
      ? rows.find((each: unknown) => Array.isArray(each) && Number(each[0]) === tag)
      : undefined
    return Array.isArray(row) ? String(row.at(-1)) : undefined
  } catch {
    return undefined
  }
}

type JasminCallback = { url: string; level: number; method: 'GET' | 'POST' }

/** Level 1 reports acceptance by the SMSC, 2 the final status, 3 both. */
function dlrCallback(
  { url, level, method }: JasminCallback,
  message: { id: string; text: string },
  report: Report,
): Callback | undefined {
  const isFinal = report.stat !== 'ENROUTE' && report.stat !== 'ACCEPTD'
  if (level === 1 && isFinal) return undefined
  const date = new Date().toISOString().replace(/\D/g, '').slice(2, 12)
  const fields = {
    id: report.stranger ? randomUUID() : message.id,
    id_smsc: message.id.slice(0, 8),
    message_status: isFinal ? report.stat : 'ESME_ROK',
    level: isFinal ? '2' : '1',
    connector: 'simulator',
    subdate: date,
    donedate: date,
    sub: '001',
    dlvrd: report.stat === 'DELIVRD' ? '001' : '000',
    err: report.error,
    text: message.text.slice(0, 20),
  }
  if (method === 'POST') return { url, ...formBody(fields), isAccepted: isAcknowledged }
  const address = new URL(url)
  for (const [name, value] of Object.entries(fields)) address.searchParams.set(name, value)
  return { url: address.href, method, isAccepted: isAcknowledged }
}
