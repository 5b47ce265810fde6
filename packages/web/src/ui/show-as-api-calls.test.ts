import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => readFileSync(join(source, file), 'utf8'))

/** Calls that screens show as a command: in a tag, or in the request of a channel's campaign. */
const shown = files.flatMap((text) =>
  [...text.matchAll(/<ShowAsApi\b[^>]*?\/>/gs), ...text.matchAll(/\bcall: '\w+Campaigns\.create',/g)].flatMap(([use]) =>
    [...use.matchAll(/'([a-z]\w+\.\w+)'|"([a-z]\w+\.\w+)"/g)].map(([, one, other]) => (one ?? other) as EndpointName),
  ),
)

test('API keys can make every call that a screen shows as a command', () => {
  expect(shown.length).toBeGreaterThan(6)
  const closed = shown.filter((name) => (endpoints[name] as Endpoint | undefined)?.scope === undefined)
  expect(closed).toEqual([])
})
