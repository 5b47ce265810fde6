import { expect, test } from 'vitest'
import { asCurl } from './show-as-api.tsx'

test('a command has its path filled in and no way out of its quotes', () => {
  const command = asCurl({
    route: { method: 'POST', path: '/api/things/{id}/start' },
    path: { id: '7' },
    body: { text: "It's" },
    origin: 'https://carillon.example',
  })
  expect(command).toContain(`curl -X POST 'https://carillon.example/api/things/7/start'`)
  expect(command).toContain(String.raw`"text": "It'\''s"`)
})

test('a call without a body sends none', () => {
  expect(
    asCurl({
      route: { method: 'GET', path: '/api/things' },
      path: {},
      body: undefined,
      origin: 'https://carillon.example',
    }),
  ).not.toContain('-d')
})

test('a file makes it a form, its fields before the file', () => {
  const command = asCurl({
    route: { method: 'POST', path: '/api/things' },
    path: {},
    body: { name: 'VIP', at: { zone: 'UTC' } },
    file: 'vip.csv',
    origin: 'https://carillon.example',
  })
  expect(command.split(' \\\n').slice(2)).toEqual([
    `  --form-string 'name=VIP'`,
    `  --form-string 'at={"zone":"UTC"}'`,
    `  -F 'file=@vip.csv'`,
  ])
})
