import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findStart, isAlive } from '../lib/processes.ts'

/** Another process uses this folder. */
export class DataInUseError extends Error {
  override name = 'DataInUseError'
}

/**
 * Locks a data directory for this process and returns the release function. A stale lock of a crash is replaced: the lock
 * names its process, which is gone. So is a lock copied with its folder: it names another folder.
 */
export function lockData(directory: string): () => void {
  const file = join(directory, 'carillon.pid')
  const own = `${process.pid} ${findStart(process.pid)} ${identityOf(directory)}\n`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, own)
  try {
    // A link is created atomically, and only one of two processes can create it.
    while (!makeLink(draft, file)) removeIfStale(file, directory)
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    if (readLock(file) === own) rmSync(file, { force: true })
  }
}

function makeLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function removeIfStale(file: string, directory: string) {
  const [number = '', start = '', folder = identityOf(directory)] = readLock(file).trim().split(' ')
  const pid = Number(number)
  if (pid > 0 && isAlive(pid) && findStart(pid) === start && folder === identityOf(directory))
    throw new DataInUseError(
      `Carillon is already running with the data in ${directory} (process ${pid}): stop it first, or set DATA_DIR to another folder`,
    )
  rmSync(file, { force: true })
}

/** Unchanged when the folder is moved; different for a copy. */
function identityOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true })
  return `${dev}:${ino}`
}

function readLock(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
