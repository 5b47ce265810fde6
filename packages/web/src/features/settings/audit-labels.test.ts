import { expect, test } from 'vitest'
import { auditGroups, describeAction, describeDetails } from './audit-labels.ts'

test('details are read with amounts in rupees, without what the line says already', () => {
  const moved = { from: 'Carillon', to: 'Mango Traders', amount: '1,000.25', note: '' }
  expect(describeDetails(moved)).toBe('from: Carillon · to: Mango Traders · amount: ₹1,000.25')
  expect(describeDetails({ apiKey: 'carillon_live_1a2b3c4d' })).toBe('API key: carillon_live_1a2b3c4d')
  expect(describeDetails({ actor: 'admin', subject: 'mango', ended: 1 })).toBe('ended: 1')
})

test('actions of a channel are labelled by its entry, and others by their own words', () => {
  expect(describeAction('whatsapp_solution.chosen')).toBe('chose a WhatsApp solution partner')
  expect(describeAction('sms_account.created')).toBe('connected an SMS account')
  expect(describeAction('thing.not_known')).toBe('thing not known')
  expect(auditGroups.at(-1)).toEqual({ value: 'sms_account', label: 'SMS accounts' })
})
