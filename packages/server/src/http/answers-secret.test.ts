import { endpoints, type Endpoint } from '@carillon/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'

const secretNames = [
  'token',
  'exitToken',
  'ticket',
  'secret',
  'uri',
  'recoveryCodes',
  'temporaryPassword',
  'oneTimePassword',
  'password',
]

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value as object) : []),
    ...namesIn(value),
  ])
}

test('every call whose response holds a token, password or code is marked, so that the response is never stored', () => {
  const unmarked = Object.entries(endpoints as Record<string, Endpoint>)
    .filter(([, { data, answersSecret }]) => data !== 'file' && !answersSecret)
    .flatMap(([name, { data }]) =>
      namesIn(z.toJSONSchema(data as z.ZodType, { io: 'output', unrepresentable: 'any' }))
        .filter((field) => secretNames.includes(field))
        .map((field) => `${name}: ${field}`),
    )
  expect(unmarked).toEqual([])
})
