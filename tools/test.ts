/**
 * `npm test`: all checks and tests; the last line counts them.
 * `npm test -- --changed [COMMIT]`: all checks, and the tests that import a file changed since COMMIT (default `HEAD`).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checks, runCheck } from './check.ts'

type Counts = { passed: number; failed: number }

const root = fileURLToPath(new URL('..', import.meta.url))

const { values, positionals } = parseArgs({ options: { changed: { type: 'boolean' } }, allowPositionals: true })
const selection = values.changed ? ['--changed', positionals[0] ?? 'HEAD'] : []

const checked = checks.map((check) => runCheck(check))
// Marks the build as up to date, so that a test of `npm start` does not replace files that other tests load.
const built = runCheck({ name: 'build', command: ['node', 'tools/build-web.ts'] })
const sized = built && runCheck({ name: 'size budget', command: ['node', 'tools/check-web-size.ts'] })
const tests = runTests()

const all = [...checked, built, sized]
const passed = all.filter(Boolean).length + tests.passed
const failed = all.filter((ok) => !ok).length + tests.failed
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function runTests(): Counts {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-report-'))
  const report = join(directory, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const done = spawnSync('vitest', ['run', ...reporters, ...selection], { cwd: root, stdio: 'inherit' })
  try {
    const { numPassedTests, numFailedTests, numTotalTestSuites } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      string,
      number
    >
    // A file that fails before its first test counts as one failure.
    const broken = done.status !== 0 && !numFailedTests ? 1 : 0
    // A full run that finds no tests fails; a change that no test imports does not.
    const empty = numTotalTestSuites || values.changed ? 0 : 1
    return { passed: numPassedTests ?? 0, failed: (numFailedTests ?? 0) + broken + empty }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
