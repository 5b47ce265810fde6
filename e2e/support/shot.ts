import type { Page } from 'playwright-core'

export type Who = 'manager' | 'manager2' | 'user' | 'department-head' | 'admin' | 'reseller'

export type Shot = {
  name: string
  /** Absent: not signed in. */
  as?: Who
  path: string
  /** Needs a page load, or is the page for unknown addresses, which is used to reach the others. */
  needsLoad?: true
  /** Steps before the screenshot. */
  act?: (page: Page) => Promise<void>
  /** Skipped for this window size. */
  except?: 'phone' | 'desktop'
}
