import axe, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Window {
    axe: typeof axe
  }
}

/** Violations of accessibility rules, one text per element. axe is loaded once per page load. */
export async function findViolations(page: Page, options: Pick<RunOptions, 'runOnly'> = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async (chosen) => {
      const { violations } = await window.axe.run(document, chosen)
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`),
      )
    },
    // Listing passed rules is slow. So is parsing the style sheets, which only an experimental rule reads.
    { ...options, resultTypes: ['violations'], preload: { assets: ['media'] } } satisfies RunOptions,
  )
}
