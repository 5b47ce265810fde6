import { expect, test } from 'vitest'
import { readSignUpMessage } from './facebook-sign-up.ts'

const sign = (event: string, data: object) => JSON.stringify({ type: 'WA_EMBEDDED_SIGNUP', event, data })

test.each<[string, unknown, object]>([
  [
    'the end',
    sign('FINISH', { waba_id: '1029384756', phone_number_id: '1122334455', business_id: '5566778899' }),
    { waba_id: '1029384756', phone_number_id: '1122334455', business_id: '5566778899' },
  ],
  ['an account without number', sign('FINISH_ONLY_WABA', { waba_id: '1029384756' }), { waba_id: '1029384756' }],
  ['leaving', sign('CANCEL', { current_step: 'PHONE_NUMBER_SETUP' }), { left: 'PHONE_NUMBER_SETUP' }],
  ['a fault', sign('CANCEL', { error_message: 'No more numbers', error_id: '9' }), { error: 'No more numbers' }],
  [
    'the message as an object',
    { type: 'WA_EMBEDDED_SIGNUP', event: 'FINISH', data: { waba_id: '12345' } },
    { waba_id: '12345' },
  ],
  ['an id that is none', sign('FINISH', { waba_id: '1 or 2' }), {}],
  ['another message', JSON.stringify({ type: 'resize' }), {}],
  ['what is no JSON', 'cb=f123&domain=facebook.com', {}],
  ['nothing', undefined, {}],
])('the sign-up window tells %s', (_, data, expected) => {
  expect(readSignUpMessage(data)).toEqual(expected)
})
