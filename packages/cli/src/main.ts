#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { run } from './run.ts'

const ending = new AbortController()
// A second Ctrl+C ends the program at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
// The reader of the output ended, such as `head`.
process.stdout.on('error', () => process.exit(0))

let isMuted = false
const echo = new Writable({
  write(chunk, _encoding, written) {
    if (!isMuted) process.stderr.write(String(chunk))
    written()
  },
})
let reader: Interface | undefined
let lines: AsyncIterator<string> | undefined

/** Without echo if the answer is a secret. */
async function ask(question: string, { isSecret } = { isSecret: false }): Promise<string> {
  process.stderr.write(question)
  reader ??= createInterface({ input: process.stdin, output: echo, terminal: process.stdin.isTTY })
  lines ??= reader[Symbol.asyncIterator]()
  isMuted = isSecret
  const { value, done } = await lines.next()
  if (isSecret) process.stderr.write('\n')
  return done ? '' : value
}

// The package of this program has a version.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

process.exitCode = await run(
  {
    out: (line) => process.stdout.write(`${line}\n`),
    note: (line) => process.stderr.write(`${line}\n`),
    ask,
    env: process.env,
    signal: ending.signal,
  },
  version,
  process.argv.slice(2),
)
reader?.close()
