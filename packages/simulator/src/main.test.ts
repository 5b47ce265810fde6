import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bindClient } from './testing.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

test('a separate process prints its address, and ends cleanly on a signal', async () => {
  const child = spawn(process.execPath, [main], { env: { ...process.env, SMSC_PORT: '0', HTTP_PORT: '0' } })
  const [line] = await once(child.stdout, 'data')
  const ports = JSON.parse(String(line))
  const client = await bindClient(ports.smsc)
  expect((await fetch(`http://127.0.0.1:${ports.http}/api/stats`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  await client.closed
})

test.each([
  [['--http-port', 'many'], 'http-port must be a whole number, not many'],
  [['--scenario', 'apocalypse'], 'scenario must be one of calm, '],
])('%j is rejected with its name', async (flags, words) => {
  const child = spawn(process.execPath, [main, ...flags])
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  expect(await once(child, 'close')).toEqual([1, null])
  expect(said).toContain(words)
})
