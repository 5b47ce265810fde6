import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { openSendingStateFile } from './sending-state-file.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'carillon-state-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('a copied file is recognised as a copy', async () => {
  const file = await openSendingStateFile(directory)
  file.write({ incarnation: newId(), counter: 1, epochs: {} })
  expect(file.read()).toMatchObject({ counter: 1, isCopy: false })
  const path = join(directory, 'sending-state.json')
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  expect(file.read()).toMatchObject({ counter: 1, isCopy: true })
})

test('a file that another process replaces during the read is not reported as a copy', async () => {
  const file = await openSendingStateFile(directory)
  file.write({ incarnation: newId(), counter: 0, epochs: {} })
  const module = new URL('./sending-state-file.ts', import.meta.url).href
  const script = `
    const file = await (await import('${module}')).openSendingStateFile(process.argv[1])
    for (let counter = 1; counter <= 1500; counter += 1) file.write({ incarnation: file.read().incarnation, counter, epochs: {} })`
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script, directory], { stdio: 'inherit' })
  const ended = once(writer, 'exit')
  let copies = 0
  while (writer.exitCode === null) {
    for (let reads = 0; reads < 200; reads += 1) copies += file.read()?.isCopy === false ? 0 : 1
    await new Promise((resume) => setImmediate(resume))
  }
  expect(await ended).toEqual([0, null])
  expect(copies).toBe(0)
  expect(file.read()?.counter).toBe(1500)
})
