import { OptOutScope } from '@carillon/contract/opt-outs'
import { expect, test } from 'vitest'
import { describeSource, recordsOf, scopeHelp, scopeLabel } from './opt-out-labels.ts'

test('every scope has a label, a help text and the list it is removed from', () => {
  expect(
    OptOutScope.options.map((scope) => [scopeLabel(scope), scopeHelp(scope), recordsOf(scope)?.optOutList]),
  ).toEqual([
    ['SMS', 'Receives no SMS from you', 'sms'],
    ['WhatsApp marketing', 'Still receives confirmations, updates and codes', 'whatsapp'],
    ['WhatsApp', 'Receives nothing from you on WhatsApp', 'whatsapp'],
    ['RCS marketing', 'Still receives confirmations, updates and codes', 'rcs'],
    ['RCS', 'Receives nothing from you on RCS', 'rcs'],
  ])
})

test('an opt-out says how it came', () => {
  expect(describeSource({ source: 'reply', scope: 'sms', keyword: 'STOP' })).toBe('Replied “STOP”')
  expect(describeSource({ source: 'app', scope: 'whatsapp_marketing' })).toBe('Stopped marketing in WhatsApp')
  expect(describeSource({ source: 'import', scope: 'sms', addedBy: 'Meera Joshi' })).toBe('Imported, Meera Joshi')
})
