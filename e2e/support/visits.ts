import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { SimulatorOptions } from '@carillon/simulator/index'
import { launchBrowser, openVisit, type Visit } from './browser.ts'
import { startStack, type Stack } from './stack.ts'

export type Cast = 'admin' | 'reseller' | 'manager' | 'user' | 'department-head' | 'manager2'

export type Site = {
  stack: Stack
  url: string
  browser: Browser
  /** A fresh visitor for the current test; the test fails if the visitor recorded a problem. */
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** A visitor that stays until `end`, at most until the end of the test file. */
  keep(options?: BrowserContextOptions): Promise<Visit>
  end(visit: Visit, task: TaskOf): Promise<void>
}

export type TaskOf = Parameters<Parameters<typeof onTestFinished>[0]>[0]['task']

/** One product and one browser for all tests of a file. */
export function useSite(
  prepare?: (stack: Stack) => Promise<void>,
  world: SimulatorOptions = {},
  settings: NodeJS.ProcessEnv = {},
): Site {
  let stack: Stack | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    stack = await startStack(world, settings)
    await prepare?.(stack)
    browser = await launchBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await stack?.close()
  })

  const keep = (options: BrowserContextOptions = {}) =>
    openVisit(known(browser), { baseURL: known(stack).url, ...options })
  const end = async (visit: Visit, task: TaskOf) => {
    if (task.result?.state === 'fail') await picture(visit)
    await visit.context.close()
  }

  return {
    keep,
    end,
    get stack() {
      return known(stack)
    },
    get url() {
      return known(stack).url
    },
    get browser() {
      return known(browser)
    },
    async visit(options) {
      const visit = await keep(options)
      onTestFinished(async ({ task }) => {
        await end(visit, task)
        expect(visit.problems).toEqual([])
      })
      return visit
    },
  }
}

/** Saves a screenshot of the visitor's last page for debugging. */
async function picture({ page }: Visit) {
  const path = join(tmpdir(), `carillon-${page.url().replaceAll(/\W+/g, '-').slice(-60)}.png`)
  await page.screenshot({ path, fullPage: true }).then(
    () => process.stderr.write(`The page as it was: ${path}\n`),
    () => undefined,
  )
}

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Not before the tests have begun')
  return value
}
