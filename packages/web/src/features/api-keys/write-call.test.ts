import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languages, writeCall, type Language } from './write-call.ts'

const run = promisify(execFile)

type Received = { method: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }

const received: Received[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    received.push({ method: request.method, headers: request.headers, body })
    response.setHeader('content-type', 'application/json').end('{"ok": "yes"}')
  })
})
beforeAll(() => new Promise<void>((resume) => void server.listen(0, '127.0.0.1', resume)))
afterAll(() => void server.close())

const programs: Record<Language, (text: string) => [file: string, args: string[]]> = {
  curl: (text) => ['sh', ['-c', text]],
  javascript: (text) => [process.execPath, ['--input-type=module', '-e', text]],
  python: (text) => ['python3', ['-c', text]],
}

async function execute(language: Language, text: string): Promise<string> {
  const { stdout } = await run(...programs[language](text), {
    env: { ...process.env, CARILLON_KEY: 'from-environment' },
  })
  return stdout
}

describe.each(languages)('%s', (language) => {
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/messages`

  test('a read is sent with the key of the environment', async () => {
    const output = await execute(language, writeCall[language]({ method: 'GET', url: url(), key: '' }))
    expect(output).toContain('yes')
    expect(received.at(-1)).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer from-environment' } })
  })

  test('a write is sent with its body, its idempotency key and the key', async () => {
    const body = { to: '+919999900008', text: `It's "₹5"` }
    await execute(language, writeCall[language]({ method: 'POST', url: url(), body, key: 'carillon_live_key' }))
    expect(received.at(-1)).toMatchObject({
      method: 'POST',
      headers: {
        authorization: 'Bearer carillon_live_key',
        'content-type': 'application/json',
        'idempotency-key': 'order-1042',
      },
    })
    expect(JSON.parse(received.at(-1)?.body ?? '')).toEqual(body)
  })
})
