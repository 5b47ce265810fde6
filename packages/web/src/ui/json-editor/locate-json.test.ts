import { describe, expect, test } from 'vitest'
import { locateJson } from './locate-json.ts'

const text = `{
  "name": "Shop",
  "rate": { "burst": 5 },
  "countries": [
    "IN",
    "xx"
  ]
}`

test.each([
  ['name', 2],
  ['rate.burst', 3],
  ['countries', 4],
  ['countries.1', 6],
  ['', 1],
  ['rate.unknown', 3],
  ['unknown.field', 1],
])('%s is in line %i', (path, line) => {
  const located = locateJson(text)
  expect(located.kind === 'json' ? located.placeOf(path).line : located).toBe(line)
})

test.each([
  text,
  '[]',
  '{}',
  '-0.5e3',
  String.raw`"\u20b9 \" \\"`,
  '{"a":[{"b":null},true]}',
  '{"__proto__": {"a": 1}}',
])('the value is that of JSON.parse: %s', (json) => {
  const located = locateJson(json)
  expect(located.kind).toBe('json')
  if (located.kind === 'json') expect(JSON.stringify(located.value)).toBe(JSON.stringify(JSON.parse(json)))
})

describe('broken JSON', () => {
  test.each([
    ['', 1, 'The text ends where a value is expected'],
    ['{\n  "a": 1,\n}', 3, 'Expected a name in double quotes'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 'Expected a comma or }'],
    ['{"a" 1}', 1, 'Expected a colon'],
    ['[1,\n2', 2, 'The text ends where a comma or ] is expected'],
    ['{\n"a": 1,\n"a": 2}', 3, 'a is given twice'],
    ['{}\n{}', 2, 'Nothing may follow the closing bracket'],
    ["{\n'a': 1}", 2, 'Expected a name in double quotes'],
    ['[01]', 1, 'Expected a comma or ]'],
    ['['.repeat(5000), 1, 'Too many levels'],
  ])('%j', (json, line, message) => {
    expect(locateJson(json)).toMatchObject({ kind: 'broken', message, place: { line } })
  })
})
