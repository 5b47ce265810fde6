import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes minutes goes first: begun last, it would keep one worker busy alone. The two that keep every core busy do not
 * begin together; beside each runs what mostly waits.
 */
const longest = [
  'e2e/accessibility/desktop',
  'e2e/chaos/crash',
  'server/src/parallel-calls',
  'e2e/double-presses',
  'e2e/whatsapp.test',
  'e2e/accessibility/phone',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(name)))
    return [...first, ...sorted.filter((file) => !first.includes(file))]
  }
}

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: ['packages/server/src/testing/cluster.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition that is waited for; the default of one second is short for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // A browser that is too slow on a busy machine gets a second attempt. A failed assertion does not.
    retry: { count: 1, condition: /Timeout \d+ms exceeded/ },
  },
})
