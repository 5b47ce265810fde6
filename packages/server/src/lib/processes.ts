import { readFileSync } from 'node:fs'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // One of another user exists all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  // A child that ended and was not waited for is still listed; it serves nobody.
  return !/^State:\s+Z/m.test(readProc(pid, 'status'))
}

/** When a process began, in the kernel's own count; with it, a number that was given out again is not mistaken for its first holder. Empty where the system does not tell. */
export function findStart(pid: number): string {
  return wordsOfStat(pid)[19] ?? ''
}

/** The parent of a process, as far as the system tells. */
export function findParent(pid: number): number | undefined {
  return Number(wordsOfStat(pid)[1]) || undefined
}

/** The name of a process; empty where the system does not tell. */
export function findName(pid: number): string {
  return /^Name:\s+(.+)$/m.exec(readProc(pid, 'status'))?.[1] ?? ''
}

/** The name of the program stands in brackets and may hold spaces; this is what follows it: state, parent and so on. */
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
