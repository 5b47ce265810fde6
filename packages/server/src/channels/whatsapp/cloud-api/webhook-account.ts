import { truncate } from '@carillon/contract/text'
import type { ProviderEvent } from '../../provider.ts'
import { describeError } from './graph-error.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { instantOf } from './json.ts'
import { lineOf } from './webhook-status.ts'

type Field =
  | 'phone_number_quality_update'
  | 'phone_number_name_update'
  | 'business_capability_update'
  | 'account_update'
  | 'account_review_update'
  | 'account_alerts'

const wordings: Record<Field, (value: Row) => string> = {
  phone_number_quality_update: (value) => {
    const limit = stringOf(value['max_daily_conversations_per_business']) ?? stringOf(value['current_limit'])
    return `Number ${numberIn(value)}: ${stringOf(value['event']) ?? 'changed'}${limit ? `, limit ${limit}` : ''}`
  },
  phone_number_name_update: (value) => {
    const reason = stringOf(value['rejection_reason'])
    const name = stringOf(value['requested_verified_name']) ?? ''
    const decision = stringOf(value['decision']) ?? 'changed'
    return `The name ${name} of number ${numberIn(value)}: ${decision}${reason && reason !== 'NONE' ? `, ${reason}` : ''}`
  },
  business_capability_update: (value) =>
    `Limits changed: ${stringOf(value['max_daily_conversations_per_business']) ?? stringOf(value['max_daily_conversation_per_phone']) ?? 'unknown'} people in 24 hours`,
  account_update: describeAccountUpdate,
  account_review_update: (value) => `The review of the account: ${stringOf(value['decision']) ?? 'changed'}`,
  account_alerts: (value) => {
    const alert = rowOf(value['alert_info'])
    const message = stringOf(alert['alert_description']) ?? stringOf(value['alert_description'])
    return `Alert: ${message ?? stringOf(alert['alert_type']) ?? stringOf(value['alert_type']) ?? 'without words'}`
  },
}

/** The account or one of its numbers has changed and should be read again. */
export function readAccountChange(field: Field) {
  return (value: Row, time: unknown): ProviderEvent[] => [toEvent(wordings[field](value), value, time)]
}

/** An error that concerns the account instead of a message. */
export function readFault(value: Row, time: unknown): ProviderEvent[] {
  return rowsOf(value['errors']).map((error) => toEvent(`Fault: ${describeError(error)}`, { ...value, ...error }, time))
}

function toEvent(detail: string, value: Row, time: unknown): ProviderEvent {
  return {
    kind: 'account-change',
    detail: truncate(detail, 300),
    at: instantOf(time),
    raw: JSON.stringify(value),
    ...lineOf(value),
  }
}

function describeAccountUpdate(value: Row): string {
  const parts = [
    stringOf(value['event']) ?? 'changed',
    stringOf(rowOf(value['violation_info'])['violation_type']),
    stringOf(rowOf(value['ban_info'])['waba_ban_state']),
    ...rowsOf(value['restriction_info']).map((restriction) => stringOf(restriction['restriction_type'])),
  ].filter((word) => word !== undefined)
  return `The account: ${parts.join(', ')}`
}

function numberIn(value: Row): string {
  return stringOf(value['display_phone_number']) ?? 'without a name'
}
