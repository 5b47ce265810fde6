import { expect, test } from 'vitest'
import { blankWhatsappDraft, firstConditions, openFailover, openWhatsappPoints } from './whatsapp-draft-state.ts'

const id = '0199a000-0000-7000-8000-000000000001'
const smsTemplate = { variables: [{ name: 'name', kind: 'var' as const, sample: '' }] }

test('failover that is off lacks nothing', () => {
  expect(openFailover(blankWhatsappDraft(), smsTemplate)).toBe(0)
})

test('failover lacks a condition, an account, a template and values until each is there', () => {
  const on = { ...blankWhatsappDraft(), smsFailover: true }
  expect(openFailover(on, undefined)).toBe(3)
  const chosen = { ...on, smsFailoverConditions: [...firstConditions], smsAccountId: id, smsTemplate: id }
  expect(openFailover(chosen, smsTemplate)).toBe(1)
  expect(openFailover({ ...chosen, smsCustomParams: [{ column: 1, fallback: '' }] }, smsTemplate)).toBe(0)
})

test('a step is done when nothing is open in it', () => {
  const known = { isUnreadable: false, template: undefined, smsTemplate: undefined, estimate: undefined }
  expect(openWhatsappPoints(blankWhatsappDraft(), known)).toEqual({
    audience: 1,
    template: 1,
    personalise: 0,
    failover: 0,
    review: 0,
  })
  const whole = { ...blankWhatsappDraft(), audienceId: id, waba_id: '10000', numberId: id, templateId: id }
  expect(openWhatsappPoints(whole, { ...known, estimate: { missing: 3 } })).toMatchObject({
    template: 0,
    personalise: 1,
  })
  expect(openWhatsappPoints(whole, { ...known, isUnreadable: true })).toMatchObject({ audience: 1 })
})
