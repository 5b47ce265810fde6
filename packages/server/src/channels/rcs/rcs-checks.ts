import { featuresOf } from '@carillon/contract/channels/rcs/rcs-features'
import { nameCountries } from '../../lib/country-name.ts'
import { advice, blocker, countRowsOf, pass, type Check, type LoadedLeg, type MessageCount } from '../channel.ts'
import { isLaunchedAnywhere, isLaunchedIn, readBotFacts } from './bot-facts.ts'
import { readRcsLeg } from './rcs-legs.ts'
import { templateText } from './text-of.ts'

export function checkBot({ sender }: LoadedLeg): Check[] {
  const { verification } = readBotFacts(sender.facts)
  if (!sender.isActive) return [blocker('account', `${sender.name} is inactive`, 'Activate the bot before you start.')]
  return [
    pass('account', 'The bot is active', sender.name),
    verification === 'verified'
      ? pass('verification', 'The bot is verified', 'Phones show its name with the mark of verified senders.')
      : advice('verification', 'The bot is not verified', 'Until then only its test devices receive messages.'),
  ]
}

export function checkRcsTemplate(leg: LoadedLeg, { countries }: { countries: readonly string[] }): Check[] {
  return [checkApproval(leg), ...checkLaunch(leg, countries)]
}

function checkApproval(leg: LoadedLeg): Check {
  const { template, sender } = leg
  const { status } = readRcsLeg(leg)
  const isOfAnotherBot = template.accountId !== null && template.accountId !== sender.accountId
  if (isOfAnotherBot)
    return blocker('template', 'The template belongs to another bot', 'Choose a template of the bot you send with.')
  if (sender.reviewsTemplates && template.accountId === null)
    return blocker(
      'template',
      'The template has not been reviewed',
      'The operator of this bot sends approved templates only: create it for this bot.',
    )
  if (status !== 'APPROVED')
    return blocker(
      'template',
      `The template is ${status === 'DRAFT' ? 'a draft' : status.toLowerCase().replaceAll('_', ' ')}`,
      sender.reviewsTemplates ? 'Only approved templates are sent.' : 'Publish it before you start.',
    )
  return pass('template', 'The template can be sent', template.name)
}

/** No countries: a test message, which may go to a test device. */
function checkLaunch({ sender }: LoadedLeg, countries: readonly string[]): Check[] {
  if (countries.length === 0) return []
  const facts = readBotFacts(sender.facts)
  const missing = countries.filter((country) => !isLaunchedIn(facts, country))
  if (missing.length === 0)
    return [pass('launch', 'The bot is launched', `In ${nameCountries(countries)}, for all of these numbers.`)]
  if (missing.length < countries.length)
    return [
      advice(
        'launch',
        `The bot is not launched in ${nameCountries(missing)}`,
        'Numbers there cannot be reached; they fall back if the campaign has a fallback.',
      ),
    ]
  return [
    blocker(
      'launch',
      isLaunchedAnywhere(facts)
        ? `The bot is not launched in ${nameCountries(missing)}`
        : 'The bot is not launched yet',
      'Only its test devices receive messages. Request its launch, or send a test message.',
    ),
  ]
}

export function checkRcsMessages(leg: LoadedLeg, count: MessageCount): Check[] {
  return [checkLengths(count), ...checkPhones(leg), ...checkOptOut(leg)]
}

function checkLengths({ tooLong, people, missing }: MessageCount): Check {
  if (tooLong === 0) return pass('lengths', 'Every message is within the limits', 'Of texts, URLs and size.')
  const title = `${countRowsOf(tooLong)} ${tooLong === 1 ? 'is' : 'are'} longer than RCS allows`
  const what = 'Operators reject such messages. Trim the values, or shorten the template.'
  return tooLong >= people - missing ? blocker('lengths', title, what) : advice('lengths', title, what)
}

function checkPhones(leg: LoadedLeg): Check[] {
  const cards = featuresOf(readRcsLeg(leg).content).filter((feature) => feature.startsWith('RICHCARD_'))
  if (cards.length === 0) return []
  return [
    advice(
      'phones',
      'Some phones cannot show cards',
      'The operator rejects the message for them, and they fall back if the campaign has a fallback.',
    ),
  ]
}

const optOutPattern = /\b(?:stop|opt[ -]?out|unsub(?:scribe)?)\b|रोकें|बंद/iu

function checkOptOut(leg: LoadedLeg): Check[] {
  const { category, content } = readRcsLeg(leg)
  if (category !== 'PROMOTION') return []
  const labels = [...content.suggestions, ...(content.standAlone?.suggestions ?? [])].map(({ text }) => text)
  if ([templateText(content), ...labels].some((text) => optOutPattern.test(text)))
    return [
      pass('opt-out', 'The message has opt-out instructions', 'People who cannot opt out report the bot as spam.'),
    ]
  return [
    advice(
      'opt-out',
      'The message has no opt-out instructions',
      'People can unsubscribe in their messaging app, and report the bot as spam if they do not find it.',
    ),
  ]
}
