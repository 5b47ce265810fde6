import type { DeliveryReport, ProviderEvent } from '../provider.ts'
import { storableJson } from '../../lib/storable.ts'
import { stringOf, type Row } from '../read-json.ts'
import { instantOf } from './json.ts'
import { readInbound } from './read-inbound.ts'

/** The events in one notification of a bot: about a message, from a person, or about the bot. Typing is ignored. */
export function readEvent(given: Row): ProviderEvent[] {
  const event = storableJson(given)
  if (event['newLaunchState'] !== undefined) return [readLaunch(event)]
  const type = stringOf(event['eventType'])
  if (type === undefined) return readInbound(event)
  if (type === 'IS_TYPING') return []
  const read = readers[type]?.(event)
  return read ?? [noticeOf(event)]
}

/** Undefined if something is missing. */
type Read = (event: Row) => ProviderEvent[] | undefined

const readers: Partial<Record<string, Read>> = {
  DELIVERED: reportOf('delivered'),
  READ: reportOf('read'),
  TTL_EXPIRATION_REVOKED: reportOf('failed', (event) => ({
    reason: 'expired',
    code: 'TTL_EXPIRATION_REVOKED',
    detail: stringOf(event['reason']) ?? 'It expired before it was delivered, and was revoked',
  })),
  FAILED: reportOf('failed', readFailure),
  SUBSCRIBE: preferenceOf(false),
  UNSUBSCRIBE: preferenceOf(true),
}

/** Only stored, such as a failed revocation: the message may or may not have been delivered. */
function noticeOf(event: Row): ProviderEvent {
  return { kind: 'notice', at: instantOf(event['sendTime']), raw: JSON.stringify(event) }
}

type Failure = Pick<DeliveryReport, 'reason' | 'code' | 'detail'>

function reportOf(status: DeliveryReport['status'], readMore: (event: Row) => Failure = () => ({})): Read {
  return (event) => {
    const id = stringOf(event['messageId'])
    if (id === undefined) return undefined
    return [
      {
        kind: 'delivery-report',
        providerMessageIds: [id],
        status,
        ...readMore(event),
        at: instantOf(event['sendTime']),
        raw: JSON.stringify(event),
      },
    ]
  }
}

function preferenceOf(wantsNone: boolean): Read {
  return (event) => {
    const from = personOf(event)
    if (from === undefined) return undefined
    const at = instantOf(event['sendTime'])
    return [{ kind: 'preference-change', from, wantsNone, at, raw: JSON.stringify(event) }]
  }
}

/** Events of the operator name the number differently from events of the person. */
export function personOf(event: Row): string | undefined {
  return stringOf(event['senderPhoneNumber']) ?? stringOf(event['phoneNumber'])
}

const busy = /per second|rate|throttl|too many|quota/i
const unreachable = /not (?:rcs|reachable|registered)|unreachable|capab|unsupported/i

/** A failure with a reason as text only. */
function readFailure(event: Row): Failure {
  const detail = stringOf(event['reason']) ?? stringOf(event['description']) ?? 'The operator gave no reason'
  const reason = busy.test(detail)
    ? 'throughput_limited'
    : unreachable.test(detail)
      ? 'number_unreachable'
      : 'undelivered'
  return { reason, code: stringOf(event['code']) ?? 'FAILED', detail }
}

function readLaunch(event: Row): ProviderEvent {
  const region = (stringOf(event['regionId']) ?? '').replace(/^.*\//, '')
  const comment = stringOf(event['comment'])
  const detail = `Launch in ${region || 'an unnamed region'}: ${stringOf(event['newLaunchState']) ?? ''}`
  return {
    kind: 'account-change',
    detail: comment === undefined ? detail : `${detail}, ${comment}`,
    at: instantOf(event['sendTime']),
    raw: JSON.stringify(event),
  }
}
