import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { advice, blocker, formatCount, pass, type Check } from '../../../channels/channel.ts'
import type { PricedCampaign, PricedLeg } from '../planning/priced-campaign.ts'
import type { Groups } from './draw-groups.ts'
import { enabledTest } from './enabled-test.ts'
import { letterOfVariant } from '@carillon/contract/variant-positions'

/** The messages of a test besides the first, each with its own checks, and whether the test can be decided. */
export function checkTest(priced: PricedCampaign): Check[] {
  const { draft, groups, legs: chosen } = priced.choices
  const test = enabledTest(draft)
  if (!test || !groups) return []
  const variants = priced.legs.slice(0, groups.variants)
  const refusals = [
    ...variants.slice(1).flatMap((leg, index) => checkVariant(leg, index + 1)),
    ...(draft.splitOverDays
      ? [blocker('ab-test', 'A test cannot be split over several days', 'Switch off the test, or the split.')]
      : []),
    ...(test.metric === 'read' ? variants.flatMap(({ channel }) => checkReads(channel)).slice(0, 1) : []),
    ...(test.metric === 'clicked' && chosen.slice(0, groups.variants).some(({ links }) => links.length === 0)
      ? [
          blocker(
            'ab-test',
            'A message of the test has no tracked link',
            'Choose another comparison, or give each message a link.',
          ),
        ]
      : []),
    ...checkEnd(priced, test.durationMinutes),
  ]
  return refusals.length > 0 ? refusals : [checkSize(groups, priced)]
}

function checkVariant({ rules, loaded, count }: PricedLeg, variant: number): Check[] {
  const name = `Message ${letterOfVariant(variant)}`
  const countries = count.countries.map(({ country }) => country)
  const refusal = [...rules.checkSender(loaded), ...rules.checkTemplate(loaded, { countries })].find(
    ({ level }) => level === 'blocker',
  )
  if (refusal) return [blocker('ab-test', `${name}: ${refusal.title}`, refusal.detail)]
  if (count.people > 0 && count.missing === count.people)
    return [
      blocker(
        'ab-test',
        `${name}: no row has a value for every variable`,
        'Choose a column, or a value for everyone, for each variable.',
      ),
    ]
  return []
}

function checkReads(channel: Channel): Check[] {
  const { hasReadReceipts, label } = channelTraits[channel]
  return hasReadReceipts
    ? []
    : [blocker('ab-test', `${label} does not report who has read a message`, 'Choose another comparison.')]
}

const defaultHours = 72

/** Nothing is sent after the end of a campaign: three days after its start, if none was chosen. */
function checkEnd({ choices: { draft, groups }, beginsAt }: PricedCampaign, minutes: number): Check[] {
  if (groups?.rest === 0) return []
  const endsAt = draft.expiresAt ? new Date(draft.expiresAt) : new Date(beginsAt.getTime() + defaultHours * 3_600_000)
  if (beginsAt.getTime() + minutes * 60_000 < endsAt.getTime()) return []
  return [
    blocker(
      'ab-test',
      'The campaign ends before its test',
      draft.expiresAt
        ? 'Choose a later end of the campaign, or a shorter test.'
        : 'A campaign ends three days after its start. Choose a later end, or a shorter test.',
    ),
  ]
}

const fewPeople = 100

/** What half of such tests would find: for shares of a tenth, as of clicks, with a confidence of 95 % and a power of 80 %. */
function checkSize({ variants, rest, heldOut }: Groups, { legs: [{ count }] }: PricedCampaign): Check {
  const each = Math.floor((count.people - rest - heldOut) / variants)
  const others = rest > 0 ? `, ${formatCount(rest)} the best of them` : ''
  const control = heldOut > 0 ? `, ${formatCount(heldOut)} nothing` : ''
  const title = `${formatCount(each)} people get each message${others}${control}`
  if (each < fewPeople)
    return advice('ab-test', title, 'With so few people, only a very large difference is certain. Enlarge the test.')
  const points = Math.ceil(100 * 2.8 * Math.sqrt((2 * 0.1 * 0.9) / each) * 10) / 10
  return pass('ab-test', title, `From a share of 10 %, a difference of ${points} percentage points is usually found.`)
}
