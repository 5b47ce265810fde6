/**
 * Gzipped kilobytes that a browser loads from a fresh build: for the sign-in page, for the shell, and for each further
 * route. Sizes do not depend on the machine; the ratio is the smallest of budget to size.
 */
import { spawnSync } from 'node:child_process'

export function benchWebBudget(): void {
  run(['vite', 'build', 'packages/web'])
  const lines = run([process.execPath, 'tools/check-web-size.ts']).split('\n')
  const sizes = lines.flatMap((line) => {
    const [, size, limit, name] = /([\d.]+) of (\d+) KB {2}(.*)$/.exec(line) ?? []
    return name ? [{ name, size: Number(size), limit: Number(limit) }] : []
  })
  const [closest] = sizes.toSorted((one, other) => one.limit / one.size - other.limit / other.size)
  if (!closest) throw new Error(`No sizes were told:\n${lines.join('\n')}`)
  const routes = sizes.filter(({ name }) => name.endsWith('-page.tsx')).toSorted((one, other) => other.size - one.size)
  const isRoute = new Set(routes)
  console.log(`web-budget: ${sizes.length} bundles, kilobytes gzipped`)
  for (const { name, size, limit } of [...sizes.filter((one) => !isRoute.has(one)), ...routes.slice(0, 5)])
    console.log(`  ${size.toFixed(1).padStart(6)} of ${limit}  ${name}`)
  console.log(`  and ${Math.max(0, routes.length - 5)} lighter routes`)
  console.log(`closest to its budget: ${closest.name}`)
  console.log(`ratio ${(closest.limit / closest.size).toFixed(2)}`)
}

/** A build over its budget is still reported in full. */
function run([command = '', ...flags]: string[]): string {
  const { stdout, stderr, error } = spawnSync(command, flags, { encoding: 'utf8', shell: process.platform === 'win32' })
  if (error || !stdout) throw error ?? new Error(stderr)
  return stdout
}
