import type { Estimate } from '@carillon/contract/campaign-drafts'

type Counted = Pick<Estimate, 'people' | 'missing' | 'optedOut'> & Partial<Pick<Estimate, 'legs' | 'excluded'>>

/**
 * Number of people who get a message: those with a value for every variable who have not opted out; with several messages, those
 * to whom at least one of them can be sent.
 */
export function peopleToSend({ people, missing, optedOut, legs = [], excluded }: Counted): number {
  return legs.length > 1 && excluded !== undefined ? people - excluded : people - missing - optedOut
}
