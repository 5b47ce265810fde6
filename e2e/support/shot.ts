import type { Page } from 'playwright-core'

export type Who = 'manager' | 'manager2' | 'user' | 'department-head' | 'admin' | 'reseller'

export type Shot = {
  name: string
  /** Absent: nobody is signed in. */
  as?: Who
  path: string
  /** Looks like this after a page load only, or is the page for unknown addresses, which is the way to all others. */
  needsLoad?: true
  /** What a person does before there is something to see. */
  act?: (page: Page) => Promise<void>
  /** Not for windows of this kind. */
  except?: 'phone' | 'desktop'
}
