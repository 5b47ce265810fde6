import { positionOfVariant } from '@carillon/contract/variant-positions'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { expect, test } from 'vitest'
import { describeShown } from './shown-recipients.ts'

const leg = (place: number, channel: 'rcs' | 'sms'): CampaignDetail['legs'][number] => ({
  leg: place,
  channel,
  senderName: '',
  templateName: '',
  starters: 0,
  entered: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  expired: 0,
  skipped: 0,
  cost: 0,
})

test('names the channel of a leg, and its place where a channel has several', () => {
  const legs = [leg(0, 'rcs'), leg(2, 'sms'), leg(3, 'sms')]
  expect(describeShown({ leg: 0, result: 'delivered' }, legs)).toBe('Delivered by RCS')
  expect(describeShown({ leg: 3, result: 'entered' }, legs)).toBe('Fell back to SMS, message 3')
  expect(describeShown({ result: 'failed' }, legs)).toBe('Failed')
  expect(describeShown({ both: true }, legs)).toBe('Delivered twice or more')
  expect(describeShown({ clicked: true }, legs)).toBe('Clicked')
})

test('names the message of a test, and counts only those it fails over to', () => {
  const legs = [leg(0, 'sms'), leg(positionOfVariant(1), 'sms'), leg(1, 'rcs')]
  expect(describeShown({ leg: 0, result: 'starters' }, legs)).toBe('Began with message A')
  expect(describeShown({ leg: positionOfVariant(1), result: 'delivered' }, legs)).toBe('Delivered, message B')
  expect(describeShown({ leg: 1, result: 'sent' }, legs)).toBe('Sent by RCS')
  expect(describeShown({ leg: positionOfVariant(1), clicked: true }, legs)).toBe('Clicked, message B')
})
