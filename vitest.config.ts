import { availableParallelism, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes minutes goes first: begun last, it would keep one worker busy alone. In the order of their duration. */
const longest = [
  'e2e/double-presses',
  'e2e/chaos/crash',
  'e2e/chaos/inbox-replies',
  'e2e/accessibility/desktop',
  'e2e/accessibility/phone',
  'server/src/main.test',
  'server/src/demo/interrupted-demo',
  'server/src/relations',
  'e2e/session.test',
  'e2e/people.test',
  'server/src/authorization',
  'server/src/modules/restores/restore-mid-campaign',
  'server/src/http/form-bomb',
  'server/src/parallel-calls',
  'e2e/whatsapp.test',
  'e2e/demo-figures',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(name)))
    return [...first, ...sorted.filter((file) => !first.includes(file))]
  }
}

/** Most files wait for a database, a browser or a timer for part of the time, so there is one more than cores; a browser takes up to 3 GiB. */
const workers = Math.max(2, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 2 ** 30 / 4)))

// Every worker loads the same packages anew; Node stores their compiled code here.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: ['packages/server/src/testing/cluster.ts'],
    pool: 'forks',
    // The files of a worker share the modules they import: loading them takes longer than most files' tests.
    isolate: false,
    maxWorkers: workers,
    // Concurrent tests of a file wait for timers, all at the same time.
    maxConcurrency: 20,
    sequence: { sequencer: LongestFirst },
    // Only a test that hangs takes so long, on a busy machine too.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A condition that is waited for; the default of one second is short for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // A browser that is too slow on a busy machine gets a second attempt. A failed assertion does not.
    retry: { count: 1, condition: /Timeout \d+ms exceeded/ },
  },
})
