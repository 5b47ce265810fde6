import type { Role } from '@carillon/contract/roles'
import { areaPrefix } from '../lib/areas.ts'
import { screens } from './routes.tsx'

/** The screen of an area whose path is most similar to the requested one, if any is close. */
export function closestScreen(pathname: string, role: Role): { title: string; address: string } | undefined {
  const whole = pathname.toLowerCase().replace(/^\/+|\/+$/g, '')
  // With and without the first segment, which may be a (misspelt) area.
  const asked = [whole, whole.replace(/^[^/]*\//, '')]
  const ranked = screens
    .filter((screen) => screen.path !== '' && screen.roles.includes(role))
    .map((screen) => ({ screen, steps: Math.min(...asked.map((place) => editsBetween(place, screen.path))) }))
    .sort((a, b) => a.steps - b.steps)
  const best = ranked[0]
  if (!best || best.steps > Math.max(2, best.screen.path.length * 0.4)) return undefined
  return { title: best.screen.title, address: `${areaPrefix[role]}/${best.screen.path}` }
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
