import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findStart } from '../lib/processes.ts'
import { lockData } from './data-lock.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'carillon-lock-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const lockOf = () => readFileSync(join(directory, 'carillon.pid'), 'utf8')

test('a folder can be locked once, and again after release', () => {
  const release = lockData(directory)
  expect(() => lockData(directory)).toThrow(`already running with the data in ${directory} (process ${process.pid})`)
  release()
  expect(readdirSync(directory)).toEqual([])
  lockData(directory)()
})

test('a rejected attempt leaves the lock unchanged', () => {
  const release = lockData(directory)
  const before = lockOf()
  expect(() => lockData(directory)).toThrow()
  expect({ lock: lockOf(), files: readdirSync(directory) }).toEqual({ lock: before, files: ['carillon.pid'] })
  release()
})

test('the lock of a dead process is taken over', async () => {
  const child = spawn(process.execPath, ['--eval', ''])
  await once(child, 'exit')
  writeFileSync(join(directory, 'carillon.pid'), `${child.pid} 1\n`)
  const release = lockData(directory)
  expect(lockOf()).toMatch(new RegExp(`^${process.pid} ${findStart(process.pid)} `))
  release()
})

test.each([
  ['empty', ''],
  ['not a number', 'yes\n'],
  ['a process group', '-1 \n'],
])('a lock that is %s is taken over', (_, text) => {
  writeFileSync(join(directory, 'carillon.pid'), text)
  lockData(directory)()
  expect(readdirSync(directory)).toEqual([])
})

test.runIf(process.platform === 'linux')('a reused pid is not the previous holder', () => {
  writeFileSync(join(directory, 'carillon.pid'), `${process.pid} 1\n`)
  lockData(directory)()
  expect(readdirSync(directory)).toEqual([])
})

test('release does not remove a lock that was taken over meanwhile', () => {
  const release = lockData(directory)
  writeFileSync(join(directory, 'carillon.pid'), '4194304 7\n')
  release()
  expect(lockOf()).toBe('4194304 7\n')
})

test('a copy of a locked folder is not locked', () => {
  const release = lockData(directory)
  const copy = `${directory}-copy`
  cpSync(directory, copy, { recursive: true })
  try {
    lockData(copy)()
    expect(() => lockData(directory)).toThrow('already running')
  } finally {
    rmSync(copy, { recursive: true, force: true })
    release()
  }
})
