import {
  advice,
  blocker,
  countRowsOf,
  formatCount,
  pass,
  type Check,
  type LoadedLeg,
  type MessageCount,
} from '../channel.ts'
import { readSmsLeg } from './sms-legs.ts'

export function checkSmsSender(leg: LoadedLeg): Check[] {
  const { sender } = leg
  const { header } = readSmsLeg(leg).content
  return [
    sender.isActive
      ? pass('account', 'The SMS account is on', sender.name)
      : blocker('account', 'The SMS account is off', `Switch ${sender.name} on before you start.`),
    sender.headers.includes(header)
      ? pass('header', 'The header is registered', header)
      : blocker(
          'header',
          `${header} is not a header of the account`,
          sender.headers.length > 0
            ? `${sender.name} sends as ${sender.headers.join(', ')}.`
            : `${sender.name} has no headers yet.`,
        ),
  ]
}

export function checkSmsTemplate(leg: LoadedLeg, { countries }: { countries: readonly string[] }): Check[] {
  return [checkApproval(leg), ...(countries.includes('IN') ? [checkDltIds(leg)] : [])]
}

function checkApproval({ sender, template }: LoadedLeg): Check {
  if (template.senderId !== sender.id)
    return blocker(
      'template',
      'The template belongs to another account',
      'Choose a template of the SMS account you send with.',
    )
  if (template.status !== 'approved')
    return blocker('template', `The template is ${template.status}`, 'Only approved templates are sent.')
  return pass('template', 'The template is approved', 'The text is sent exactly as it was registered.')
}

/** Some providers add the ids themselves, so a missing id does not always lead to a rejection. */
function checkDltIds(leg: LoadedLeg): Check {
  const { entityId = leg.sender.entityId, dltTemplateId } = readSmsLeg(leg).content
  const missing = [...(entityId ? [] : ['entity id']), ...(dltTemplateId ? [] : ['template id'])]
  if (missing.length > 0)
    return advice(
      'dlt',
      `No DLT ${missing.join(' and no ')}`,
      'Operators in India refuse texts without it, unless your provider adds it.',
    )
  return pass('dlt', 'The DLT ids are there', `Template ${dltTemplateId ?? ''}`)
}

export function checkSmsMessages(leg: LoadedLeg, count: MessageCount): Check[] {
  return [...checkValues(count), checkParts(count), ...checkOptOut(leg)]
}

function checkValues({ tooLong, unfit }: MessageCount): Check[] {
  const checks = [
    ...(tooLong > 0
      ? [
          advice(
            'lengths',
            `${countRowsOf(tooLong)} with a value that is too long`,
            'Operators may refuse such messages. Trim values to the length the tag allows.',
          ),
        ]
      : []),
    ...(unfit > 0
      ? [
          advice(
            'values',
            `${countRowsOf(unfit)} with a value that does not suit its tag`,
            'A numeric tag takes digits, an address tag a web address, and so on; operators refuse anything else.',
          ),
        ]
      : []),
  ]
  return checks.length > 0 ? checks : [pass('lengths', 'Every value fits its tag', 'In length and in kind.')]
}

function checkParts(count: MessageCount): Check {
  const unicode =
    count.unicode > 0
      ? ` ${countRowsOf(count.unicode)} ${count.unicode === 1 ? 'travels' : 'travel'} as Unicode, which halves what fits into a part.`
      : ''
  if (count.multipart === 0) return pass('parts', 'Every message is one part', `It costs one part each.${unicode}`)
  const extra = count.parts - (count.people - count.missing)
  const cost = count.formatCost(extra)
  return advice(
    'parts',
    `${countRowsOf(count.multipart)} with more than one part`,
    `They need ${formatCount(extra)} further ${extra === 1 ? 'part' : 'parts'}${cost === undefined ? '' : ` and cost ₹${cost} more`}.${unicode}`,
  )
}

const optOutPattern = /\b(?:stop|opt[ -]?out|unsub(?:scribe)?|dnd)\b|रोकें|बंद/iu

function checkOptOut(leg: LoadedLeg): Check[] {
  const { category, content } = readSmsLeg(leg)
  if (category !== 'promotional') return []
  if (optOutPattern.test(content.body))
    return [pass('opt-out', 'The text says how to opt out', 'Promotional messages have to.')]
  return [
    advice(
      'opt-out',
      'The text does not say how to opt out',
      'Promotional messages have to tell people how to stop them.',
    ),
  ]
}
