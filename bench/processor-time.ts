/** Processor time of this process and all its descendants, such as PostgreSQL and the simulator. It varies less than rates do while other programs run. */
import { readdirSync, readFileSync } from 'node:fs'

type Stat = { parent: number; ticks: number }

/** Ticks per second of `/proc` on every Linux of today. */
const ticksPerSecond = 100

/** In seconds; undefined where `/proc` does not exist. */
export function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined
    if (stat) stats.set(Number(name), stat)
  }
  let ticks = 0
  for (const [pid, stat] of stats) if (isOurs(pid, stats)) ticks += stat.ticks
  return ticks / ticksPerSecond
}

/** With the time of children that have ended; undefined if the process has ended meanwhile. */
function readStat(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the last parenthesis may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return undefined
  }
}

function isOurs(pid: number, stats: ReadonlyMap<number, Stat>): boolean {
  for (let next: number | undefined = pid; next; next = stats.get(next)?.parent) if (next === process.pid) return true
  return false
}
