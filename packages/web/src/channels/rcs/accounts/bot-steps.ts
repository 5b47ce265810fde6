import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'

export type StepState = 'done' | 'current' | 'failed' | 'waiting'
export type BotStep = { label: string; state: StepState }

type Shown = Pick<RcsBot, 'state' | 'verification' | 'launches' | 'testers' | 'isActive'>

/** How far a bot has come: Draft, Test, Verify, Carriers, Live. */
export function stepsOf(bot: Shown): BotStep[] {
  const isCreated = bot.state === 'created'
  const isLaunched = bot.launches.some(({ state }) => state === 'launched')
  const isVerified = bot.verification === 'verified'
  const isTested = isVerified || bot.testers.some(({ state }) => state === 'accepted')
  const found: [string, boolean, boolean][] = [
    ['Draft', isCreated, bot.state === 'rejected'],
    ['Test', isTested, false],
    ['Verify', isVerified, bot.verification === 'rejected'],
    ['Carriers', isLaunched, bot.launches.length > 0 && bot.launches.every(({ state }) => isRefused(state))],
    ['Live', isLaunched && bot.isActive, false],
  ]
  const current = found.findIndex(([, isDone]) => !isDone)
  return found.map(([label, isDone, isFailed], index) => ({
    label,
    state: isFailed ? 'failed' : isDone ? 'done' : index === current ? 'current' : 'waiting',
  }))
}

function isRefused(state: RcsBot['launches'][number]['state']): boolean {
  return state === 'rejected' || state === 'suspended' || state === 'terminated'
}

const launchMarks: Record<RcsBot['launches'][number]['state'], string> = {
  launched: '✓',
  pending: '◷',
  rejected: '✕',
  suspended: '✕',
  terminated: '○',
}

/** `Airtel ✓ Jio ◷`. */
export function carriersOf({ launches }: Pick<RcsBot, 'launches'>): string {
  return launches.map(({ carrier, state }) => `${carrier} ${launchMarks[state]}`).join(' ')
}

export const launchLabels: Record<
  RcsBot['launches'][number]['state'],
  { label: string; tone: 'good' | 'info' | 'bad' | 'neutral' }
> = {
  launched: { label: 'Launched', tone: 'good' },
  pending: { label: 'In review', tone: 'info' },
  rejected: { label: 'Rejected', tone: 'bad' },
  suspended: { label: 'Suspended', tone: 'bad' },
  terminated: { label: 'Ended', tone: 'neutral' },
}

/** The state of a bot in one word. */
export function stateOf(bot: RcsBot): { label: string; tone: 'good' | 'info' | 'bad' | 'care' | 'neutral' } {
  if (bot.state === 'requested') return { label: 'Requested', tone: 'info' }
  if (bot.state === 'rejected') return { label: 'Rejected', tone: 'bad' }
  if (bot.failure !== null) return { label: 'Cannot send', tone: 'bad' }
  if (bot.launches.some(({ state }) => state === 'launched'))
    return bot.isActive ? { label: 'Live', tone: 'good' } : { label: 'Off', tone: 'neutral' }
  if (bot.verification === 'pending') return { label: 'Verifying', tone: 'info' }
  if (bot.verification === 'rejected') return { label: 'Not verified', tone: 'bad' }
  return bot.verification === 'verified' ? { label: 'Verified', tone: 'info' } : { label: 'Testing', tone: 'care' }
}
