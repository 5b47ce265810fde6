import { encodeGsm, isGsm } from '@carillon/contract/channels/sms/gsm0338'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { EgressRequest } from '../../../egress/egress.ts'
import type { SmsMessage } from '../message.ts'
import type { HttpGatewayConfig } from './config.ts'
import { fillTemplate, type Escape, type Placeholders } from './template.ts'

const contentTypes: Record<HttpGatewayConfig['contentType'], { header: string | undefined; escape: Escape }> = {
  urlencoded: { header: 'application/x-www-form-urlencoded; charset=utf-8', escape: 'url' },
  json: { header: 'application/json; charset=utf-8', escape: 'json' },
  xml: { header: 'application/xml; charset=utf-8', escape: 'xml' },
  query: { header: undefined, escape: 'none' },
}

/** Builds the request for one message from the account's settings. */
export function buildRequest(message: SmsMessage, config: HttpGatewayConfig, callbackUrl: string): EgressRequest {
  const values = placeholders(message, config, callbackUrl)
  const { header, escape } = contentTypes[config.contentType]
  const hasBody = config.contentType !== 'query' && config.method !== 'GET'
  const headers: Record<string, string> = {
    ...(hasBody && header ? { 'content-type': header } : {}),
    ...authHeaders(config),
    ...(config.idempotencyHeader ? { [config.idempotencyHeader.toLowerCase()]: message.reference } : {}),
  }
  for (const { name, value } of config.headers) headers[name.toLowerCase()] = fillTemplate(value, values, 'none')
  return {
    method: config.method,
    url: withKey(fillTemplate(config.url, values, 'url'), config),
    headers,
    ...(hasBody ? { body: fillTemplate(config.bodyTemplate, values, escape) } : {}),
    timeoutMs: config.timeoutSeconds * 1000,
    maximumBytes: 256 * 1024,
  }
}

function placeholders(message: SmsMessage, config: HttpGatewayConfig, callbackUrl: string): Placeholders {
  const isUnicode = message.encoding === 'ucs2'
  const validity = secondsLeft(message)
  const toDigits = message.to.replace('+', '')
  const toNational =
    config.numberFormat === 'national' || mentions(config, 'toNational') ? nationalNumber(message.to) : ''
  const to = { e164: message.to, digits: toDigits, national: toNational }[config.numberFormat]
  return {
    reference: message.reference,
    text: message.text,
    textHex: mentions(config, 'textHex') ? hexText(message.text) : '',
    to,
    toE164: message.to,
    toDigits,
    toNational,
    from: message.from,
    entityId: message.entityId ?? '',
    templateId: message.dltTemplateId ?? '',
    parts: String(message.parts),
    validitySeconds: String(validity),
    validityMinutes: String(Math.ceil(validity / 60)),
    unicode: isUnicode ? '1' : '0',
    coding: isUnicode ? '8' : '0',
    codingKannel: isUnicode ? '2' : '0',
    reportUrl: `${callbackUrl}/report`,
    inboundUrl: `${callbackUrl}/inbound`,
    authUser: config.authUser,
    authSecret: config.authSecret,
  }
}

/** The validity period for the gateway. */
function secondsLeft({ expiresAt, ttlSeconds }: SmsMessage): number {
  const left = Math.max(60, Math.floor((expiresAt.getTime() - Date.now()) / 1000))
  return ttlSeconds === undefined ? left : Math.min(ttlSeconds, left)
}

function mentions({ url, bodyTemplate }: HttpGatewayConfig, name: keyof Placeholders): boolean {
  return bodyTemplate.includes(name) || url.includes(name)
}

function nationalNumber(to: string): string {
  return parsePhoneNumberFromString(to)?.nationalNumber ?? to.replace('+', '')
}

/** The bytes as in SMPP: GSM 03.38 unpacked, or UTF-16 big-endian. */
function hexText(text: string): string {
  return (isGsm(text) ? Buffer.from(encodeGsm(text)) : Buffer.from(text, 'utf16le').swap16()).toString('hex')
}

function authHeaders({ auth, authName, authUser, authSecret }: HttpGatewayConfig): Record<string, string> {
  if (auth === 'basic') return { authorization: `Basic ${Buffer.from(`${authUser}:${authSecret}`).toString('base64')}` }
  if (auth === 'bearer') return { authorization: `Bearer ${authSecret}` }
  return auth === 'header' ? { [(authName || 'x-api-key').toLowerCase()]: authSecret } : {}
}

function withKey(url: string, { auth, authName, authSecret }: HttpGatewayConfig): string {
  if (auth !== 'query') return url
  return `${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(authName || 'key')}=${encodeURIComponent(authSecret)}`
}
