import { randomInt } from 'node:crypto'
import { parseFields, project } from './field-list.ts'
import type { Call } from './graph.ts'
import { GraphError, invalid } from './graph-error.ts'
import { numberHealth } from './health.ts'
import { addNumber, portfolioOf } from './meta.ts'
import type { PhoneNumber, Row, Waba } from './objects.ts'
import { pageOf } from './paging.ts'
import { isRow, needOneOf, needText, readText } from './reading.ts'
import { verifyCallback } from './subscriptions.ts'

const hourMs = 3_600_000
const mostNumbers = 20
const mostRegistrations = 10
const mostWrongPins = 5

const standardFields = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
  'last_onboarded_time',
  'webhook_configuration',
] as const

export function listNumbers(call: Call, waba: Waba) {
  const found = [...call.graph.meta.numbers.values()].filter((number) => number.wabaId === waba.id)
  const { entries, paging } = pageOf(call, found)
  return { data: entries.map((number) => readNumber(call, number)), ...(paging ? { paging } : {}) }
}

export function readNumber(call: Call, number: PhoneNumber): Row {
  return project(presentNumber(call, number), parseFields(call.query.fields), standardFields)
}

function presentNumber({ graph, token }: Call, number: PhoneNumber): Row {
  const waba = graph.meta.wabas.get(number.wabaId)
  const app = graph.meta.apps.get(token.appId)
  const { limitTier } = portfolioOf(graph.meta, number.wabaId)
  const override = waba?.subscriptions.get(token.appId)?.override
  return {
    id: number.id,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating,
    quality_score: { score: number.qualityRating },
    code_verification_status: number.codeVerificationStatus,
    name_status: number.nameStatus,
    status: number.status,
    platform_type: number.platformType,
    throughput: { level: number.throughputLevel },
    messaging_limit_tier: limitTier,
    whatsapp_business_manager_messaging_limit: limitTier,
    account_mode: number.accountMode,
    is_official_business_account: number.isOfficial,
    is_pin_enabled: number.pin !== undefined,
    last_onboarded_time: number.lastOnboardedTime,
    country_dial_code: number.countryCode,
    username: number.username,
    webhook_configuration: {
      ...(app?.callbackUrl ? { application: app.callbackUrl } : {}),
      ...(override ? { whatsapp_business_account: override.url } : {}),
      ...(number.override ? { phone_number: number.override.url } : {}),
    },
    health_status: numberHealth(graph, number, token.appId),
  }
}

export function createNumber({ graph, body }: Call, waba: Waba) {
  const countryCode = needText(body, 'cc').replaceAll(/\D/g, '')
  const local = needText(body, 'phone_number').replaceAll(/\D/g, '')
  const verifiedName = needText(body, 'verified_name', { most: 75 })
  if (!/^[1-9]\d{0,2}$/.test(countryCode) || local.length < 5 || local.length > 14)
    throw invalid('phone_number is not a phone number')
  const numbers = [...graph.meta.numbers.values()]
  if (numbers.some(({ digits }) => digits === countryCode + local))
    throw new GraphError(100, {
      message: 'Invalid parameter',
      subcode: 2388103,
      userTitle: 'Number already in use',
      userMessage: 'This phone number belongs to a WhatsApp account already.',
    })
  if (numbers.filter(({ wabaId }) => wabaId === waba.id).length >= mostNumbers)
    throw new GraphError(100, {
      message: 'Invalid parameter',
      userTitle: 'Too many numbers',
      userMessage: `An account has at most ${mostNumbers} numbers.`,
    })
  const { id } = addNumber(graph.meta, {
    wabaId: waba.id,
    displayPhoneNumber: `+${countryCode} ${local}`,
    countryCode,
    verifiedName,
    codeVerificationStatus: 'NOT_VERIFIED',
    nameStatus: 'PENDING_REVIEW',
    status: 'PENDING',
    platformType: 'NOT_APPLICABLE',
    throughputLevel: 'NOT_APPLICABLE',
    qualityRating: 'UNKNOWN',
    lastOnboardedTime: undefined,
    isRegistered: false,
  })
  return { id }
}

export function requestCode({ body }: Call, number: PhoneNumber) {
  needOneOf(body.code_method, ['SMS', 'VOICE'], 'code_method')
  needText(body, 'language')
  if (number.codeVerificationStatus === 'VERIFIED')
    throw new GraphError(136024, { message: '(#136024) The phone number is verified already' })
  number.code = String(randomInt(100_000, 1_000_000))
  return { success: true }
}

export function verifyCode({ body }: Call, number: PhoneNumber) {
  const code = needText(body, 'code').replaceAll(/\D/g, '')
  if (number.code === undefined || code !== number.code) throw new GraphError(136025)
  number.code = undefined
  number.codeVerificationStatus = 'VERIFIED'
  return { success: true }
}

export function registerNumber({ body }: Call, number: PhoneNumber) {
  needProduct(body)
  const pin = readPin(body)
  countRegistration(number)
  if (number.codeVerificationStatus !== 'VERIFIED') throw new GraphError(133006)
  checkPin(number, pin)
  Object.assign(number, {
    pin,
    isRegistered: true,
    status: 'CONNECTED',
    platformType: 'CLOUD_API',
    throughputLevel: number.throughputLevel === 'NOT_APPLICABLE' ? 'STANDARD' : number.throughputLevel,
    nameStatus: number.nameStatus === 'PENDING_REVIEW' ? 'APPROVED' : number.nameStatus,
    qualityRating: number.qualityRating === 'UNKNOWN' ? 'GREEN' : number.qualityRating,
    lastOnboardedTime: new Date().toISOString().replace(/\.\d+Z$/, '+0000'),
  })
  return { success: true }
}

/** Registrations and deregistrations count together: ten in 72 hours. */
function countRegistration(number: PhoneNumber) {
  const now = Date.now()
  number.registrations = number.registrations.filter((at) => at > now - 72 * hourMs)
  if (number.registrations.length >= mostRegistrations) throw new GraphError(133016)
  number.registrations.push(now)
}

function checkPin(number: PhoneNumber, pin: string) {
  if (number.pin === undefined) return
  if (number.wrongPins >= mostWrongPins) throw new GraphError(133008)
  if (number.pin !== pin) {
    number.wrongPins += 1
    throw new GraphError(133005)
  }
  number.wrongPins = 0
}

export function deregisterNumber(_call: Call, number: PhoneNumber) {
  if (!number.isRegistered) throw new GraphError(133010)
  countRegistration(number)
  Object.assign(number, { isRegistered: false, status: 'PENDING', platformType: 'NOT_APPLICABLE' })
  return { success: true }
}

/** `POST /{phone_number_id}`: sets the two-step PIN or the webhook of the number. */
export async function changeNumber({ body }: Call, number: PhoneNumber) {
  const { webhook_configuration: webhook } = body
  if (body.pin === undefined && webhook === undefined)
    throw new GraphError(100, { message: '(#100) pin or webhook_configuration must be given' })
  if (body.pin !== undefined) {
    number.pin = readPin(body)
    number.wrongPins = 0
  }
  if (isRow(webhook)) {
    const url = readText(webhook, 'override_callback_uri')
    const override = url ? { url, verifyToken: needText(webhook, 'verify_token') } : undefined
    if (override) await verifyCallback(override)
    number.override = override
  }
  return { success: true }
}

function readPin(body: Row): string {
  const pin = needText(body, 'pin')
  if (!/^\d{6}$/.test(pin)) throw new GraphError(100, { message: '(#100) Param pin must be 6 digits long' })
  return pin
}

export function needProduct(body: Row) {
  if (body.messaging_product !== 'whatsapp')
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' })
}
