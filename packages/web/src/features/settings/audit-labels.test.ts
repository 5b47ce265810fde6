import { expect, test } from 'vitest'
import { describeDetails } from './audit-labels.ts'

test('details are read with amounts in rupees, without what the line says already', () => {
  const moved = { from: 'Carillon', to: 'Mango Traders', amount: '1,000.25', note: '' }
  expect(describeDetails(moved)).toBe('from: Carillon · to: Mango Traders · amount: ₹1,000.25')
  expect(describeDetails({ actor: 'admin', subject: 'mango', ended: 1 })).toBe('ended: 1')
})
