import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Account } from '../accounts.ts'
import type { Report, Stat } from '../results.ts'
import { type Callback, formBody, readUrl } from './callbacks.ts'
import {
  countParts,
  digits,
  type Gateway,
  type HttpAnswer,
  type Refusal,
  sendAnswer,
  countSubmissions,
} from './counter.ts'
import { basicAccount, readFields } from './requests.ts'

const refusals: Record<Refusal, [status: number, code: number, message: string]> = {
  throttled: [429, 20429, 'Too Many Requests'],
  'queue-full': [503, 20503, 'Service unavailable'],
  'system-error': [500, 20500, 'Internal server error'],
  'invalid-number': [400, 21211, "Invalid 'To' phone number"],
  unauthorized: [401, 20003, 'Authenticate'],
  'missing-ids': [400, 30034, 'Registration of the sender is missing'],
}

export function refuseTwilio(refusal: Refusal): HttpAnswer {
  const [status, code, message] = refusals[refusal]
  return {
    status,
    body: JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }),
  }
}

/** Twilio's Messages resource. */
export function addTwilio(app: FastifyInstance, gateway: Gateway) {
  app.post<{ Params: { sid: string } }>('/2010-04-01/Accounts/:sid/Messages.json', async (request, reply) => {
    const account = basicAccount(gateway.simulation, request)
    if (account?.systemId !== request.params.sid) return sendAnswer(reply, refuseTwilio('unauthorized'))
    const fields = readFields(request)
    const to = digits(fields.To ?? '')
    const from = fields.From ?? fields.MessagingServiceSid
    if (!to) return sendAnswer(reply, invalid(21604, "A 'To' phone number is required."))
    if (!from) return sendAnswer(reply, invalid(21603, "A 'From' phone number is required."))
    if (!fields.Body) return sendAnswer(reply, invalid(21602, 'Message body is required.'))
    if (fields.Body.length > 1600)
      return sendAnswer(reply, invalid(21617, 'The concatenated message body exceeds the 1600 character limit.'))

    const id = `SM${randomBytes(16).toString('hex')}`
    const statusUrl = readUrl(fields.StatusCallback)
    const reported = {
      MessageSid: id,
      SmsSid: id,
      To: `+${to}`,
      From: from,
      AccountSid: account.systemId,
      ApiVersion: '2010-04-01',
    }
    const callback = statusUrl
      ? (report: Report) =>
          signed(account, statusUrl, {
            fields: { ...reported, ...statusFields(report) },
            isForged: report.forged ?? false,
          })
      : undefined
    const taken = {
      sid: id,
      account_sid: account.systemId,
      to: `+${to}`,
      from,
      body: fields.Body,
      status: 'queued',
      direction: 'outbound-api',
      num_segments: String(countParts(fields.Body).parts),
      error_code: null,
      error_message: null,
      api_version: '2010-04-01',
    }
    return countSubmissions(gateway, {
      submissions: [{ account, via: 'twilio', to, from, text: fields.Body, id, callback }],
      formats: { taken: { status: 201, body: JSON.stringify(taken) }, refused: refuseTwilio },
      reply,
    })
  })
}

export function twilioInbound(
  account: Account,
  url: string,
  message: { from: string; to: string; text: string },
): Callback {
  const id = `SM${randomBytes(16).toString('hex')}`
  const fields = {
    MessageSid: id,
    SmsSid: id,
    AccountSid: account.systemId,
    From: `+${message.from}`,
    To: message.to,
    Body: message.text,
    NumMedia: '0',
    NumSegments: String(countParts(message.text).parts),
    ApiVersion: '2010-04-01',
  }
  return signed(account, url, { fields, isForged: false })
}

function invalid(code: number, message: string): HttpAnswer {
  return {
    status: 400,
    body: JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 }),
  }
}

const twilioStatuses: Record<Stat, string> = {
  ENROUTE: 'sent',
  ACCEPTD: 'sent',
  DELIVRD: 'delivered',
  EXPIRED: 'undelivered',
  DELETED: 'failed',
  UNDELIV: 'undelivered',
  UNKNOWN: 'undelivered',
  REJECTD: 'failed',
}

const errorCodes: Partial<Record<Stat, string>> = {
  UNDELIV: '30003',
  EXPIRED: '30003',
  REJECTD: '30007',
  DELETED: '30008',
  UNKNOWN: '30008',
}

function statusFields({ stat, stranger }: Report): Record<string, string> {
  const status = twilioStatuses[stat]
  const code = errorCodes[stat]
  const alien = stranger ? { MessageSid: `SM${randomBytes(16).toString('hex')}` } : {}
  return { ...alien, MessageStatus: status, SmsStatus: status, ...(code ? { ErrorCode: code } : {}) }
}

/** The signature covers the address and every field, sorted by name, with the account's password as the key. */
function signed(
  account: Account,
  url: string,
  { fields, isForged }: { fields: Record<string, string>; isForged: boolean },
): Callback {
  const words = Object.keys(fields)
    .toSorted()
    .reduce((text, name) => text + name + (fields[name] ?? ''), url)
  const signature = createHmac('sha1', isForged ? 'somebody else' : account.password)
    .update(words)
    .digest('base64')
  const form = formBody(fields)
  return { ...form, url, headers: { ...form.headers, 'x-twilio-signature': signature } }
}
