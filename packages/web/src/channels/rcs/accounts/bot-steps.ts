import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { countOf } from '../../../lib/format.ts'

export type StepState = 'done' | 'current' | 'failed' | 'waiting'
export type StepName = 'Draft' | 'Test' | 'Verify' | 'Carriers' | 'Live'
export type BotStep = { label: StepName; state: StepState }
type Tone = 'good' | 'info' | 'bad' | 'care' | 'neutral'

type Shown = Pick<RcsBot, 'state' | 'verification' | 'launches' | 'testers' | 'isActive' | 'failure'>

/** How far a bot has come: Draft, Test, Verify, Carriers, Live. */
export function stepsOf(bot: Shown): BotStep[] {
  const isCreated = bot.state === 'created'
  const isLaunched = bot.launches.some(({ state }) => state === 'launched')
  const isVerified = bot.verification === 'verified'
  const isTested = isVerified || bot.testers.some(({ state }) => state === 'accepted')
  const found: [StepName, boolean, boolean][] = [
    ['Draft', isCreated, bot.state === 'rejected'],
    ['Test', isTested, false],
    ['Verify', isVerified, bot.verification === 'rejected'],
    ['Carriers', isLaunched, bot.launches.length > 0 && bot.launches.every(({ state }) => isRefused(state))],
    ['Live', isLaunched && bot.isActive, isLaunched && bot.failure !== null],
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

export type Launch = RcsBot['launches'][number]

export const launchLabels: Record<Launch['state'], { label: string; tone: Tone }> = {
  launched: { label: 'Launched', tone: 'good' },
  pending: { label: 'In review', tone: 'info' },
  rejected: { label: 'Rejected', tone: 'bad' },
  suspended: { label: 'Suspended', tone: 'bad' },
  terminated: { label: 'Ended', tone: 'neutral' },
}

const countries = new Intl.DisplayNames(['en-IN'], { type: 'region' })

/** Some launches are with all operators of a country. */
export function operatorOf({ country, carrier }: Pick<Launch, 'country' | 'carrier'>): string {
  return carrier === country && country !== '' ? (countries.of(country) ?? carrier) : carrier
}

/** The country beside an operator's name. */
export function countryOf({ country, carrier }: Pick<Launch, 'country' | 'carrier'>): string {
  return country === '' || carrier === country ? '' : (countries.of(country) ?? country)
}

/** What was done in a step, or what happens next. */
export function noteOf(bot: RcsBot, step: StepName): string {
  return notes[step](bot)
}

const notes: Record<StepName, (bot: RcsBot) => string> = {
  Draft({ state, reason }) {
    if (state === 'requested') return 'Requested: an administrator creates the bot'
    return state === 'rejected' ? (reason ?? 'The request was rejected') : 'Created'
  },
  Test({ state, testers, verification }) {
    if (state !== 'created') return 'Test phones receive messages before everyone else'
    const accepted = testers.filter((tester) => tester.state === 'accepted').length
    if (accepted > 0) return countOf(accepted, 'test phone')
    if (testers.length > 0) return `${countOf(testers.length, 'phone')} invited`
    return verification === 'verified' ? 'No test phones' : 'Invite a phone and send it a test message'
  },
  Verify({ verification, providerLabel }) {
    const labels: Record<RcsBot['verification'], string> = {
      unverified: 'An administrator requests the verification of the brand',
      pending: 'The brand is in review',
      rejected: 'The brand was not verified: an administrator corrects the details and requests it again',
      verified: providerLabel ? `Verified, ${providerLabel}` : 'Verified',
    }
    return labels[verification]
  },
  Carriers({ launches }) {
    if (launches.length === 0) return 'Each operator launches the bot after its verification'
    const those = (wanted: Launch['state']) => launches.filter(({ state }) => state === wanted)
    const parts = [
      [those('launched'), 'launched'],
      [those('pending'), 'in review'],
      [those('rejected'), 'rejected'],
      [those('suspended'), 'suspended'],
      [those('terminated'), 'ended'],
    ] as const
    const said = parts.flatMap(([list, word]) => (list.length > 0 ? [`${list.length} ${word}`] : []))
    return `${countOf(launches.length, 'operator')}: ${said.join(', ')}`
  },
  Live({ isActive, launches, failure }) {
    if (!launches.some(({ state }) => state === 'launched'))
      return 'Everyone is reached once an operator has launched it'
    if (failure !== null) return 'The provider refuses messages'
    return isActive ? 'On' : 'Off: switch it on to send'
  },
}

type State = { label: string; tone: Tone }

/** The state of a bot in a few words. */
export function stateOf(bot: RcsBot): State {
  if (bot.state === 'requested') return { label: 'Requested', tone: 'info' }
  if (bot.state === 'rejected') return { label: 'Rejected', tone: 'bad' }
  if (bot.failure !== null) return { label: 'Cannot send', tone: 'bad' }
  return launchStateOf(bot) ?? verificationStates[bot.verification]
}

const verificationStates: Record<RcsBot['verification'], State> = {
  unverified: { label: 'Testing', tone: 'care' },
  pending: { label: 'Verifying', tone: 'info' },
  rejected: { label: 'Not verified', tone: 'bad' },
  verified: { label: 'Verified', tone: 'info' },
}

/** Launched with one operator is launched; undefined before the first request. */
function launchStateOf({ launches, isActive }: RcsBot): State | undefined {
  const has = (wanted: Launch['state']) => launches.some(({ state }) => state === wanted)
  if (has('launched')) return isActive ? { label: 'Live', tone: 'good' } : { label: 'Off', tone: 'neutral' }
  if (has('pending')) return { label: 'Launch in review', tone: 'info' }
  if (has('rejected')) return { label: 'Launch rejected', tone: 'bad' }
  return launches.length > 0 ? { label: 'Suspended', tone: 'bad' } : undefined
}
