import { z } from 'zod'

/** The characters after `/l/` in the address of a tracked link. */
export const linkCodeLength = 12

/** An own host name for tracked links is at most this long, so that an address fits where a value of a variable does. */
export const longestLinkHost = 100

/** The page that a tracked link leads to. */
export const LinkTarget = z
  .url({
    protocol: /^https$/,
    hostname: /^[^.]+(?:\.[^.]+)+$/,
    error: 'Enter a full address that begins with https://',
  })
  .max(2000, 'At most 2,000 characters')
  .regex(/^https:\/\/[^\s@/?#\\]+(?:[/?#]\S*)?$/i, 'Enter a full address that begins with https://')

/** What an address begins with; the code of the recipient follows. */
export function linkPrefix(origin: string): string {
  return `${origin}/l/`
}

/** An address as long as those of the recipients. */
export function exampleLink(origin: string): string {
  return `${linkPrefix(origin)}${'0'.repeat(linkCodeLength)}`
}
