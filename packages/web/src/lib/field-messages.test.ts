import { expect, test } from 'vitest'
import { CallError } from './call.ts'
import { unplacedMessage } from './field-messages.ts'

const refusal = (details?: { field: string; message: string }[]) =>
  new CallError({ message: 'Refused', code: 'bad_request', status: 400, ...(details ? { details } : {}) })

test.each([
  ['nothing', null, undefined],
  ['a refusal of the whole', refusal(), 'Refused'],
  ['what stands at its field', refusal([{ field: 'email', message: 'Taken' }]), undefined],
  ['what has no field here', refusal([{ field: 'rates', message: 'Too many decimals' }]), 'Too many decimals'],
])('%s is told beside the form where no field tells it', (_, error, told) => {
  expect(unplacedMessage(error, ['email'])).toBe(told)
})
