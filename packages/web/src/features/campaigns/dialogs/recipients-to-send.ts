import type { Estimate } from '@carillon/contract/campaign-drafts'

/** Number of people who get the message: those with a value for every variable who have not opted out. */
export function peopleToSend({ people, missing, optedOut }: Pick<Estimate, 'people' | 'missing' | 'optedOut'>): number {
  return people - missing - optedOut
}
