import { readFileSync } from 'node:fs'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  // A zombie is still listed.
  return !/^State:\s+Z/m.test(readProc(pid, 'status'))
}

/**
 * Start time of a process in kernel ticks. Together with the pid it identifies the process, as pids are reused. Empty if the
 * system does not provide it.
 */
export function findStart(pid: number): string {
  return wordsOfStat(pid)[19] ?? ''
}

/** Parent pid, if the system provides it. */
export function findParent(pid: number): number | undefined {
  return Number(wordsOfStat(pid)[1]) || undefined
}

/** Name of a process; empty if the system does not provide it. */
export function findName(pid: number): string {
  return /^Name:\s+(.+)$/m.exec(readProc(pid, 'status'))?.[1] ?? ''
}

/** The fields after the program name, which is in parentheses and may contain spaces: state, parent and so on. */
function wordsOfStat(pid: number): string[] {
  return readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
}

function readProc(pid: number, file: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
