import { expect, test } from 'vitest'
import { asRequest } from './as-request.ts'

const audience = {
  format: 'csv' as const,
  fileName: 'customers.csv',
  mapping: { phoneColumn: 1, defaultCountry: 'IN' },
  sample: [
    ['Asha', '+919876543210'],
    ['Ravi', '+919876543211'],
  ],
}

test('a campaign to a file goes with the file, and says where its numbers stand', () => {
  expect(asRequest({ campaignName: 'Diwali' }, audience)).toEqual({
    body: { campaignName: 'Diwali', phoneColumn: 1, defaultCountry: 'IN' },
    file: 'customers.csv',
  })
})

test('a campaign to pasted numbers names them', () => {
  const { body, file } = asRequest({ campaignName: 'Diwali' }, { ...audience, format: 'pasted' as const })
  expect(body).toMatchObject({ numbers: ['+919876543210', '+919876543211'] })
  expect(file).toBeUndefined()
})
