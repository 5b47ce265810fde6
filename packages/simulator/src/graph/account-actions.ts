import { randomBytes } from 'node:crypto'
import { demoAccount } from './demo-account.ts'
import type { Graph } from './graph.ts'
import { isTier } from './limits.ts'
import { addNumber, addWaba, allScopes, portfolioOf, putApp, putToken, webhookFields } from './meta.ts'
import type { PhoneNumber, Row, Scope, Waba } from './objects.ts'
import { isRow, needOneOf, needText, readText } from './reading.ts'

/** Control actions on accounts, numbers and tokens. */
export function createAccountActions(graph: Graph) {
  return {
    putApp(row: Row) {
      const { id, name, secret, verifyToken } = readTexts(row, ['id', 'name', 'secret', 'verifyToken'])
      if (id === undefined) throw new RangeError('id is required')
      const app = putApp(graph.meta, {
        id,
        ...(name ? { name } : {}),
        ...(secret ? { secret } : {}),
        ...(verifyToken ? { verifyToken } : {}),
      })
      return { id: app.id, name: app.name }
    },
    /** `token`, `appId`, `scopes`, `wabaIds`, `expiresInMs`; omitted values are the most permissive. */
    putToken(row: Row) {
      const scopes = Array.isArray(row.scopes) ? row.scopes.map(readScope) : allScopes
      const expiresInMs = row.expiresInMs === undefined ? undefined : Number(row.expiresInMs)
      const { token, appId } = readTexts(row, ['token', 'appId'])
      const { value } = putToken(graph.meta, {
        ...(token ? { value: token } : {}),
        ...(appId ? { appId } : {}),
        scopes,
        wabaIds: Array.isArray(row.wabaIds) ? row.wabaIds.map(String) : 'all',
        expiresAtMs: expiresInMs === undefined ? undefined : Date.now() + expiresInMs,
      })
      return { token: value }
    },
    revokeToken(row: Row) {
      const token = graph.meta.tokens.get(needText(row, 'token'))
      if (!token) throw new RangeError('There is no such token')
      token.isRevoked = true
      return { revoked: true }
    },
    signUp: (row: Row) => signUp(graph, row),
    changeNumber: (id: string, row: Row) => changeNumber(graph, id, row),
    changeWaba: (id: string, row: Row) => changeWaba(graph, id, row),
    /** Changes the callback address of the product. */
    moveCallbacks: (address: string) => moveCallbacks(graph, address),
    /** Sends an arbitrary webhook update. */
    sendUpdate(row: Row) {
      const field = needOneOf(row.field, webhookFields, 'field')
      if (!isRow(row.value)) throw new RangeError('value must be an object')
      graph.outbox.post({
        wabaId: readText(row, 'wabaId') ?? demoAccount.wabaId,
        field,
        part: JSON.stringify(row.value),
      })
      return { posted: field }
    },
    /** Opens or closes a customer service window without a message. */
    setWindow(number: string, row: Row) {
      const phoneNumberId = needText(row, 'phoneNumberId')
      const waId = number.replaceAll(/\D/g, '')
      if (row.isOpen === false) graph.windows.close(phoneNumberId, waId)
      else graph.windows.open(phoneNumberId, waId, { isFromAd: row.isFromAd === true })
      return { isOpen: graph.windows.isOpen(phoneNumberId, waId) }
    },
  }
}

function readTexts<const Name extends string>(row: Row, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = readText(row, name)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

function readScope(value: unknown): Scope {
  return needOneOf(value, allScopes, 'scopes')
}

/** The result of embedded signup: an account with a number, the code, and the window message. */
function signUp(graph: Graph, row: Row) {
  const appId = readText(row, 'appId') ?? demoAccount.appId
  if (!graph.meta.apps.has(appId)) throw new RangeError(`There is no app ${appId}`)
  const known = readText(row, 'wabaId')
  const waba = known === undefined ? openAccount(graph, row) : graph.meta.wabas.get(known)
  if (!waba) throw new RangeError(`There is no WABA ${known}`)
  const number =
    known === undefined
      ? createSignupNumber(graph, waba.id, row)
      : [...graph.meta.numbers.values()].find(({ wabaId }) => wabaId === known)
  const code = `AQ${randomBytes(60).toString('base64url')}`
  graph.meta.codes.set(code, { code, appId, wabaId: waba.id, expiresAtMs: Date.now() + graph.settings.codeMs })
  const data = { phone_number_id: number?.id, waba_id: waba.id, business_id: waba.businessId }
  return { code, message: { type: 'WA_EMBEDDED_SIGNUP', event: 'FINISH', data } }
}

/** Of a new business, unless an existing one is named. */
function openAccount({ meta }: Graph, row: Row): Waba {
  const businessId = readText(row, 'businessId')
  const waba = addWaba(meta, { name: readText(row, 'name') ?? 'New business', ...(businessId ? { businessId } : {}) })
  if (businessId === undefined) portfolioOf(meta, waba.id).limitTier = 'TIER_250'
  return waba
}

/** Verified in the dialog but not registered; registration is the partner's next step. */
function createSignupNumber(graph: Graph, wabaId: string, row: Row): PhoneNumber {
  const tail = String(graph.meta.numbers.size).padStart(4, '0')
  return addNumber(graph.meta, {
    wabaId,
    displayPhoneNumber: readText(row, 'phoneNumber') ?? `+91 80 4719 ${tail}`,
    verifiedName: readText(row, 'name') ?? 'New business',
    isRegistered: false,
    status: 'PENDING',
    platformType: 'NOT_APPLICABLE',
  })
}

function changeNumber(graph: Graph, id: string, row: Row) {
  const number = graph.meta.numbers.get(id)
  if (!number) throw new RangeError(`There is no phone number ${id}`)
  if (row.quality !== undefined)
    number.qualityRating = needOneOf(row.quality, ['GREEN', 'YELLOW', 'RED', 'NA', 'UNKNOWN'], 'quality')
  const { status, pin, code, throughputLevel } = readTexts(row, ['status', 'pin', 'code', 'throughputLevel'])
  Object.assign(number, {
    ...(status ? { status } : {}),
    ...(pin ? { pin } : {}),
    ...(code ? { code } : {}),
    ...(throughputLevel ? { throughputLevel } : {}),
  })
  if (typeof row.isRegistered === 'boolean') number.isRegistered = row.isRegistered
  changeLimit(graph, number, row)
  changeName(graph, number, row)
  const { profile: _profile, registrations: _registrations, ...shown } = number
  return { ...shown, limitTier: portfolioOf(graph.meta, number.wabaId).limitTier }
}

/** For all numbers of the business; reported for the given number. */
function changeLimit(graph: Graph, number: PhoneNumber, row: Row) {
  const portfolio = portfolioOf(graph.meta, number.wabaId)
  const tier = readText(row, 'limitTier')
  if (tier !== undefined) {
    if (!isTier(tier)) throw new RangeError(`There is no limit ${tier}`)
    portfolio.limitTier = tier
  }
  const event = readText(row, 'event') ?? (tier === undefined ? undefined : 'ONBOARDING')
  if (event === undefined) return
  const part = { display_phone_number: number.digits, event, max_daily_conversations_per_business: portfolio.limitTier }
  graph.outbox.post({ wabaId: number.wabaId, field: 'phone_number_quality_update', part: JSON.stringify(part) })
}

function changeName(graph: Graph, number: PhoneNumber, row: Row) {
  const name = readText(row, 'verifiedName')
  const decision = readText(row, 'nameStatus') ?? (name === undefined ? undefined : 'APPROVED')
  if (decision === undefined) return
  number.nameStatus = decision
  if (name !== undefined && decision === 'APPROVED') number.verifiedName = name
  const part = {
    display_phone_number: number.digits,
    decision,
    requested_verified_name: name ?? number.verifiedName,
    rejection_reason: readText(row, 'rejectionReason') ?? 'NONE',
  }
  graph.outbox.post({ wabaId: number.wabaId, field: 'phone_number_name_update', part: JSON.stringify(part) })
}

function changeWaba(graph: Graph, id: string, row: Row) {
  const waba = graph.meta.wabas.get(id)
  if (!waba) throw new RangeError(`There is no WABA ${id}`)
  const { status, name, currency } = readTexts(row, ['status', 'name', 'currency'])
  Object.assign(waba, { ...(status ? { status } : {}), ...(name ? { name } : {}), ...(currency ? { currency } : {}) })
  if (typeof row.hasPaymentProblem === 'boolean') waba.hasPaymentProblem = row.hasPaymentProblem
  const decision = readText(row, 'accountReviewStatus')
  if (decision !== undefined) {
    waba.accountReviewStatus = decision
    graph.outbox.post({ wabaId: id, field: 'account_review_update', part: JSON.stringify({ decision }) })
  }
  const event = readText(row, 'event')
  if (event !== undefined) {
    const about = isRow(row.about) ? row.about : {}
    const part = JSON.stringify({ event, waba_info: { waba_id: id, owner_business_id: waba.businessId }, ...about })
    graph.outbox.post({ wabaId: id, field: 'account_update', part })
  }
  const { subscriptions: _subscriptions, creations: _creations, ...shown } = waba
  return shown
}

function moveCallbacks({ meta }: Graph, address: string) {
  const { origin } = new URL(address)
  const overrides = [
    ...[...meta.wabas.values()].flatMap(({ subscriptions }) =>
      [...subscriptions.values()].map(({ override }) => override),
    ),
    ...[...meta.numbers.values()].map(({ override }) => override),
  ]
  for (const override of overrides) {
    if (!override) continue
    const url = new URL(override.url)
    if (url.hostname === '127.0.0.1') override.url = `${origin}${url.pathname}${url.search}`
  }
  return { address: origin }
}
