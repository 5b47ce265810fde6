import type { LineRules } from '../account-rules.ts'
import { readBotFacts, type BotFacts } from './bot-facts.ts'

/** A bot is a line of its account; it may be switched on before its launch, for test phones. */
export const rcsLines: LineRules = {
  name: 'Bot',
  isRegistered: (status) => status === 'LAUNCHED',
  isStopped: (status) => status !== 'LAUNCHED',
  resumes: true,
  findObstacle: ({ status }) => (status === 'DELETED' ? 'The provider no longer has this bot' : undefined),
  describeChange(before, now) {
    const changes = changesOf(readBotFacts(before), readBotFacts(now))
    return changes.length > 0 ? changes.join(' ') : undefined
  },
}

const launchTexts: Record<BotFacts['launches'][number]['state'], string> = {
  pending: 'is reviewing the launch',
  launched: 'has launched the bot',
  rejected: 'has rejected the launch',
  suspended: 'has suspended the bot',
  terminated: 'has ended the launch',
}

/** BotFacts on the bot since it was last read, as sentences. */
function changesOf(before: BotFacts, now: BotFacts): string[] {
  const verified =
    before.verification !== now.verification && (now.verification === 'verified' || now.verification === 'rejected')
      ? [`The verification was ${now.verification === 'verified' ? 'completed' : 'rejected'}.`]
      : []
  const launched = now.launches
    .filter(({ state, carrier }) => state !== 'pending' && stateOf(before, carrier) !== state)
    .map(({ carrier, state, note }) => `${carrier} ${launchTexts[state]}${note ? `: ${note}` : ''}.`)
  return [...verified, ...launched]
}

function stateOf({ launches }: BotFacts, carrier: string) {
  return launches.find((launch) => launch.carrier === carrier)?.state
}
