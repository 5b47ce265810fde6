import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { createHttpServer } from './server.ts'

const directory = mkdtempSync(join(tmpdir(), 'carillon-web-'))
let http: FastifyInstance

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'index.html'), '<title>Carillon</title>')
  writeFileSync(join(directory, 'assets', 'shell-1a2b.js'), 'export {}')
  http = await createHttpServer({
    logger: createLogger('silent'),
    webDirectory: directory,
    trustProxy: false,
    requestsPerSecond: 1000,
  })
})
afterAll(async () => {
  await http.close()
  rmSync(directory, { recursive: true, force: true })
})

test.each([
  ['/', 200, 'text/html; charset=utf-8', 'no-cache'],
  ['/organization/campaigns', 200, 'text/html; charset=utf-8', 'no-cache'],
  ['/assets/shell-1a2b.js', 200, 'application/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/shell-of-the-last-release.js', 404, 'application/json; charset=utf-8', 'no-store'],
  ['/api/nothing', 404, 'application/json; charset=utf-8', 'no-store'],
])('%s answers %i', async (url, status, type, caching) => {
  const { statusCode, headers } = await http.inject(url)
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([status, type, caching])
})

test.each(['/', '/assets/shell-1a2b.js', '/assets/shell-of-the-last-release.js', '/api/nothing'])(
  '%s has the standard headers',
  async (url) => {
    const { headers } = await http.inject(url)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none';script-src 'self';.*trusted-types-for/),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
  },
)
