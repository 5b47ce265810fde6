import { expect, test } from 'vitest'
import { parseApproval } from './parse-approval.ts'

test('the fields of a portal are read by their words', () => {
  const text = `Template ID : 1107172648190030862
Template Name: order_out
Header: ACMERT
Template Type: Service Implicit
Principal Entity ID - 1101457820000012345
Template Content: Hi {#var#}, order {#var#} ships.
Thanks, Acme`
  expect(parseApproval(text)).toEqual({
    dltTemplateId: '1107172648190030862',
    name: 'order_out',
    header: 'ACMERT',
    category: 'service_implicit',
    entityId: '1101457820000012345',
    body: 'Hi {#var#}, order {#var#} ships.\nThanks, Acme',
  })
})

test('a bare text with a tag is a body', () => {
  expect(parseApproval('Dear {#var#}, your OTP is {#numeric#}: keep it')).toEqual({
    body: 'Dear {#var#}, your OTP is {#numeric#}: keep it',
  })
})

test.each([['a sentence'], ['https://acme.in/page'], ['Template ID: 1107172648190030862'], ['']])(
  '%j is no template',
  (text) => {
    expect(parseApproval(text)).toBeUndefined()
  },
)
