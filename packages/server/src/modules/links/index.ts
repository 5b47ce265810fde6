/**
 * Tracked links: addresses with a computed code for each recipient, their redirects, and what was clicked. Campaigns freeze the links of
 * their legs; whatever renders a recipient's message appends the addresses to the values of the row.
 */
export { createClickLog, type ClickLog } from './click-log.ts'
export { freezeLinks } from './freeze-links.ts'
export { linkCron, linkJobs } from './jobs.ts'
export { linkHandlers } from './handlers.ts'
export { appendLinks, createAppendLinks, linksOf, type FrozenLink } from './link-cells.ts'
export { largestSeq } from './link-code.ts'
export { createLinkKeys, type LinkDeps, type LinkKeys } from './link-keys.ts'
export { findLinkOrigin } from './link-origin.ts'
export { mountLinks } from './mount-links.ts'
export { createTargets } from './targets.ts'
