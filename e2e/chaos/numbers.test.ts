import { createPhoneReader } from '@carillon/server/lib/phone'
import { expect, test } from 'vitest'
import { numbers } from './campaign.ts'
import { rcsNumbers } from './rcs.ts'
import { whatsappNumbers } from './whatsapp.ts'

/** Recipients of a route by default. */
const count = 20_000

test.each([
  ['SMS', numbers(count, 10)],
  ['the last SMS route', numbers(count, 15)],
  ['WhatsApp', whatsappNumbers(count, { withSilent: true })],
  ['RCS', rcsNumbers(count)],
])('the numbers of a storm over %s are different mobile numbers', (_, phones) => {
  const read = createPhoneReader('')
  const refused = phones.filter((phone) => {
    const reading = read(phone)
    return 'problem' in reading || reading.fixedLine !== undefined
  })
  expect({ refused: refused.slice(0, 3), different: new Set(phones).size }).toEqual({ refused: [], different: count })
})
