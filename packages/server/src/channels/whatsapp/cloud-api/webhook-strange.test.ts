import fc from 'fast-check'
import { expect, test } from 'vitest'
import { envelope, post } from './webhook-testing.ts'

const fields = [
  'messages',
  'message_template_status_update',
  'template_category_update',
  'phone_number_quality_update',
  'account_update',
  'account_alerts',
  'user_preferences',
  '__proto__',
]
const names =
  'metadata contacts messages statuses errors user_preferences id from from_user_id type text interactive image status timestamp event message_template_id reason code value alert_info restriction_info __proto__ constructor'.split(
    ' ',
  )
const words = ['text', 'interactive', 'failed', 'sent', 'stop', '1750000000', 'toString', '']
const { strange } = fc.letrec((tie) => ({
  strange: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...words),
    fc.constantFrom(null, true, 0, -1, 1e300, 1_750_000_000, 131026),
    fc.array(tie('strange'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('strange'), { maxKeys: 5 }),
  ),
}))

test('any payload that Meta signs is acknowledged, and yields valid events only', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.dictionary(fc.constantFrom(...names), strange), (field, value) => {
      const result = post(envelope(field, value))
      expect(result).toMatchObject({ kind: 'events', reply: { status: 200 } })
      if (result.kind !== 'events') return
      for (const event of result.events) {
        expect(Number.isNaN(event.at.getTime())).toBe(false)
        expect(event.raw).not.toBe('')
        if (event.kind === 'inbound-message') expect(typeof event.text).toBe('string')
        if (event.kind === 'delivery-report') expect(event.providerMessageIds).toHaveLength(1)
      }
    }),
    { numRuns: 2000 },
  )
})
