import { expect, test } from 'vitest'
import { findSafeLinks } from './safe-links.ts'

test.each([
  ['See https://acme.example/a?b=1.', ['https://acme.example/a?b=1']],
  ['(http://acme.example) and https://acme.example/ü', ['http://acme.example/', 'https://acme.example/%C3%BC']],
  ['javascript:alert(1) data:text/html,x vbscript:x file:///etc', []],
  ['https://user:password@acme.example https://', []],
  ['"><a href=https://acme.example>x</a>', ['https://acme.example/']],
  ['acme.example www.acme.example', []],
] as const)('%j', (...[text, links]) => {
  expect(findSafeLinks(text).map(({ href }) => href)).toEqual(links)
})
