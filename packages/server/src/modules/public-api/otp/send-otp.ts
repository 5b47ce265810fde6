import { randomInt } from 'node:crypto'
import { otpSends, type OtpLeg, type OtpRequest, type OtpWording } from '@carillon/contract/otp'
import type { PublicLeg, PublicSend } from '@carillon/contract/public-message-records'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { defined } from '../../../lib/defined.ts'
import { newId } from '../../../lib/ids.ts'
import { countryOf } from '../../../lib/phone.ts'
import { conflict, Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import { countSends } from '../../api-keys/index.ts'
import { acceptSingles, type RefuseByCost, type SingleSend } from '../../messages/index.ts'
import { acceptTestSends } from '../../sandbox/index.ts'
import { composeSends, type ComposedSend } from '../compose-sends.ts'
import { inPublicTerms } from '../in-public-terms.ts'
import { findCodeNames } from './code-names.ts'
import {
  completeRequest,
  endOtpLegs,
  hashCode,
  lockOtp,
  presentOtp,
  stateOf,
  usualOtpConditions,
  type CompleteRequest,
  type OtpRow,
  type PublicOtp,
} from './otp.ts'
import { findVelocityProblem } from './velocity.ts'

export type OtpContext = { actor: UserActor; publicUrl: string; secretBox: SecretBox; now: Date }

const environmentOf = ({ apiKey }: UserActor) => apiKey?.environment ?? 'live'

/** Sends a new password. A problem is returned where something else has to be committed with it. */
export async function sendOtp(db: Db, context: OtpContext, asked: OtpRequest): Promise<PublicOtp | Problem> {
  const { actor, now } = context
  const request = completeRequest(asked, actor.apiKey?.config?.otp)
  const written = await write(db, context, request)
  const phone = phoneOf(written.send)
  const country = countryOf(phone)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`otp ${actor.organizationId} ${phone}`}, 0))`.execute(db)
  const place = { actor, environment: environmentOf(actor), phone }
  await refuseTooSoon(db, place, { request, now })
  const problem = environmentOf(actor) === 'live' && (await findVelocityProblem(db, { actor, phone, country, now }))
  if (problem) return problem
  await endEarlier(db, place, now)
  const messageId = await send(db, context, written)
  const id = newId()
  const { rows } = await sql<OtpRow>`
    insert into one_time_passwords (organization_id, id, account_id, path, environment, phone, country, channel, request, code_hash, message_id,
      created_at, sent_at, expires_at)
    values (${actor.organizationId}, ${id}, ${actor.accountId}, ${actor.scope.path}::ltree, ${environmentOf(actor)}, ${phone}, ${country},
      ${written.send.channel}, ${JSON.stringify(request)}::jsonb, ${hashCode(context.secretBox, { organizationId: actor.organizationId, id }, written.code)},
      ${messageId}, ${now}, ${now}, ${later(now, request.expirySeconds)})
    returning *`.execute(db)
  return presentOtp(rows[0], now)
}

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)
const phoneOf = ({ phoneNumber = '' }: SingleSend) => Number(phoneNumber.replace('+', ''))

type Place = { actor: UserActor; environment: string; phone: number }

const ofNumber = ({ actor, environment, phone }: Place) =>
  sql`organization_id = ${actor.organizationId} and account_id = ${actor.accountId} and environment = ${environment} and phone = ${phone}::bigint`

type Asking = { request: CompleteRequest; now: Date }

async function refuseTooSoon(db: Db, place: Place, { request, now }: Asking): Promise<void> {
  const seconds = request.resendAfterSeconds
  const { rows } = await sql<{ sent_at: Date }>`
    select sent_at from one_time_passwords where ${ofNumber(place)} and verified_at is null and sent_at > ${later(now, -seconds)}
    order by sent_at desc limit 1`.execute(db)
  const [row] = rows
  if (row) throw tooSoon(row.sent_at, { request, now })
}

function tooSoon(sentAt: Date, { request, now }: Asking): Problem {
  const seconds = request.resendAfterSeconds
  return new Problem('too_many_requests', `A code was sent to this number less than ${seconds} seconds ago`, {
    retryAfter: Math.max(1, Math.ceil((later(sentAt, seconds).getTime() - now.getTime()) / 1000)),
  })
}

/** The newest code is the only one that is right. */
async function endEarlier(db: Db, place: Place, now: Date): Promise<void> {
  const { rows } = await sql<Pick<OtpRow, 'message_id'>>`
    update one_time_passwords set expires_at = ${now} where ${ofNumber(place)} and verified_at is null and expires_at > ${now}
    returning message_id`.execute(db)
  const messageIds = rows.map((row) => row.message_id)
  if (messageIds.length > 0)
    await endOtpLegs(db, place.actor.organizationId, { environment: place.environment, messageIds, now })
}

/** Sends a new code for a password that is pending or has expired, by its own or another channel. */
export async function resendOtp(
  db: Db,
  context: OtpContext,
  { id, wording }: { id: string; wording: OtpWording },
): Promise<PublicOtp | Problem> {
  const { actor, now } = context
  const row = await lockOtp(db, { actor, id })
  const state = stateOf(row, now)
  if (state === 'verified') throw conflict('This password was verified already')
  if (row.sends >= otpSends) throw conflict(`A password has ${otpSends} messages at most: send a new one`)
  const { resendAfterSeconds } = row.request
  if (row.sent_at > later(now, -resendAfterSeconds)) throw tooSoon(row.sent_at, { request: row.request, now })
  const { country, phone } = row
  const problem = row.environment === 'live' && (await findVelocityProblem(db, { actor, phone, country, now }))
  if (problem) return problem
  await endOtpLegs(db, row.organization_id, { environment: row.environment, messageIds: [row.message_id], now })
  const request = withWording(row.request, wording)
  const written = await write(db, context, request)
  const messageId = await send(db, context, written)
  const { rows } = await sql<OtpRow>`
    update one_time_passwords set sends = sends + 1, tries = 0, message_id = ${messageId}, channel = ${written.send.channel}, sent_at = ${now},
      request = ${JSON.stringify(request)}::jsonb, expires_at = ${later(now, request.expirySeconds)},
      code_hash = ${hashCode(context.secretBox, { organizationId: row.organization_id, id }, written.code)}
    where organization_id = ${row.organization_id} and id = ${id}::uuid returning *`.execute(db)
  return presentOtp(rows[0], now)
}

/** Another channel needs a text or template of its own, and has a sender of its own. */
function withWording(request: CompleteRequest, { channel, from, template, text }: OtpWording): CompleteRequest {
  const isOther = channel !== undefined || template !== undefined || text !== undefined
  const { from: _, channel: __, ...others } = request
  const { legs: ___, ...kept } = isOther ? { legs: undefined, ...others } : request
  const content = template || text ? { template, text } : {}
  return { ...kept, ...content, ...defined({ channel, from }) }
}

type Written = ComposedSend & { code: string }

/** The message with its code. What is stored of it and its legs has dots instead. */
async function write(db: Db, { actor, publicUrl }: OtpContext, request: CompleteRequest): Promise<Written> {
  const code = String(randomInt(10 ** request.length)).padStart(request.length, '0')
  const asked = await nameCodes(db, actor, request)
  const [composed] = await composeSends(db, { actor, publicUrl }, [toSend(asked, code)])
  if (!composed) throw new Error('The message was not composed')
  if (composed instanceof Problem) throw composed
  const hide = (send: SingleSend): SingleSend => ({
    ...send,
    isUrgent: true,
    repeatsIfUnanswered: request.delivery === 'atLeastOnce',
    stored: hideCode(send, code),
    ...(send.legs && { legs: send.legs.map((leg) => ({ ...leg, send: hide(leg.send) })) }),
  })
  return { ...composed, code, send: hide(composed.send) }
}

function hideCode({ text, content }: SingleSend, code: string): NonNullable<SingleSend['stored']> {
  const hidden = '•'.repeat(code.length)
  return {
    text: text.replaceAll(code, hidden),
    // The same object with another text.
    content: content && (JSON.parse(JSON.stringify(content).replaceAll(code, hidden)) as typeof content),
  }
}

/** With the variable for the code in each template that does not name it. */
async function nameCodes(db: Db, { organizationId }: UserActor, request: CompleteRequest): Promise<CompleteRequest> {
  const wordings = [request, ...(request.legs ?? [])]
  const unnamed = wordings.flatMap(({ template }) => (template && template.codeName === undefined ? [template] : []))
  if (unnamed.length === 0) return request
  const names = await findCodeNames(db, organizationId, unnamed)
  const name = <Each extends OtpWording>(wording: Each): Each => {
    const { template } = wording
    const codeName = template && (template.codeName ?? names.get(template.id ?? template.name ?? ''))
    return template ? { ...wording, template: { ...template, codeName } } : wording
  }
  return { ...name(request), ...(request.legs && { legs: request.legs.map(name) }) }
}

function toSend(request: CompleteRequest, code: string): PublicSend {
  const { to, channel, from, reference, expirySeconds, legs } = request
  return {
    to,
    // A code that comes too late is of no use.
    ttlSeconds: expirySeconds,
    ...contentOf(request, code),
    ...defined({ channel, from, reference, legs: legs?.map((leg) => toLeg(leg, code)) }),
  }
}

function toLeg(leg: OtpLeg, code: string): PublicLeg {
  const { channel, from, entryConditions = usualOtpConditions } = leg
  return { ...contentOf(leg, code), entryConditions, ...defined({ channel, from }) }
}

function contentOf({ template, text }: OtpWording, code: string): Pick<PublicSend, 'text' | 'template'> {
  const named = template && {
    ...defined({ id: template.id, name: template.name, language: template.language }),
    values: { ...template.values, [template.codeName ?? 'code']: code },
  }
  return defined({ template: named, text: text?.replaceAll('{code}', code) })
}

async function send(db: Db, { actor, now }: OtpContext, written: Written): Promise<string> {
  const refuse: RefuseByCost = (costs) => countSends(db, actor, costs)
  const [result] =
    environmentOf(actor) === 'test'
      ? await acceptTestSends(db, [written], { refuse, now })
      : await acceptSingles(db, [written.send], refuse)
  if (!result) throw new Error('The message was not answered')
  if ('refused' in result) throw inPublicTerms(result.refused)
  return result.accepted.messageId
}
