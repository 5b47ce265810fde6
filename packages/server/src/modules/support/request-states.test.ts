import type { SupportStatus } from '@carillon/contract/support'
import { describe, expect, test } from 'vitest'
import { assertMayBecome, statusAfterMessage, type Side } from './request-states.ts'

describe('a message', () => {
  test.each<[SupportStatus, Side, SupportStatus]>([
    ['open', 'customer', 'open'],
    ['open', 'staff', 'waiting_on_customer'],
    ['in_progress', 'staff', 'waiting_on_customer'],
    ['waiting_on_customer', 'customer', 'in_progress'],
    ['resolved', 'customer', 'reopened'],
    ['resolved', 'staff', 'waiting_on_customer'],
    ['reopened', 'customer', 'reopened'],
    ['reopened', 'staff', 'waiting_on_customer'],
  ])('in a request that is %s, from the %s, makes it %s', (status, side, next) => {
    expect(statusAfterMessage(status, side)).toBe(next)
  })

  test.each<Side>(['customer', 'staff'])('from the %s is not accepted in a closed request', (side) => {
    expect(() => statusAfterMessage('closed', side)).toThrow('reopen it before writing')
  })
})

describe('a status change', () => {
  test.each<[SupportStatus, SupportStatus, Side, boolean]>([
    ['open', 'in_progress', 'staff', true],
    ['open', 'in_progress', 'customer', false],
    ['open', 'resolved', 'customer', true],
    ['closed', 'reopened', 'customer', true],
    ['closed', 'in_progress', 'staff', false],
    ['resolved', 'open', 'staff', false],
    ['waiting_on_customer', 'waiting_on_customer', 'customer', false],
  ])('from %s to %s, by the %s: %s', (status, next, side, may) => {
    const change = () => assertMayBecome(status, next, side)
    if (may) expect(change).not.toThrow()
    else expect(change).toThrow('by you')
  })
})
