import type { Campaign } from '@carillon/contract/campaign-records'
import { formatCount, formatDay, formatTime } from './format.ts'

type Waiting = NonNullable<Campaign['waiting']>

/** How many recipients wait, why, and when they are tried again. */
export function waitingText({ people, from, until }: Waiting, channel: string): string {
  const first = formatDay(from)
  const last = formatDay(until)
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`
  const again = people === 1 ? 'the message is tried again' : 'they are tried again'
  return `${whoWaits(people)}: ${channel} limits how many marketing messages a person gets; ${again} ${when}.`
}

/** How many recipients get it later because of the organisation's cap, and when. */
export function postponedText({ people, from, until }: Waiting): string {
  const [first, last] = [formatDay(from), formatDay(until)]
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`
  return people === 1
    ? `1 person has reached the limit on marketing campaigns and gets it ${when}.`
    : `${formatCount(people)} people have reached the limit on marketing campaigns and get it ${when}.`
}

/** '120 wait until 22 Nov, 10:00 am': by then the last of them is tried again. */
export function shortWaitingText({ people, until }: Waiting): string {
  return `${whoWaits(people)} until ${formatDay(until)}, ${formatTime(until)}`
}

function whoWaits(people: number): string {
  return people === 1 ? '1 waits' : `${formatCount(people)} wait`
}
