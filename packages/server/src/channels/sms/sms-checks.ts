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
      ? pass('account', 'The SMS account is active', sender.name)
      : blocker('account', 'The SMS account is inactive', `Activate ${sender.name} before you start.`),
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
  return pass('dlt', 'DLT ids are set', `Template ${dltTemplateId ?? ''}`)
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
            `${countRowsOf(unfit)} with a value that does not match its tag`,
            'A numeric tag takes digits, a URL tag a web address, and so on; operators reject other values.',
          ),
        ]
      : []),
  ]
  return checks.length > 0 ? checks : [pass('lengths', 'Every value matches its tag', 'In length and kind.')]
}

function checkParts(count: MessageCount): Check {
  const unicode =
    count.unicode > 0
      ? ` ${countRowsOf(count.unicode)} ${count.unicode === 1 ? 'is sent' : 'are sent'} as Unicode, which halves the characters per part.`
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
    return [pass('opt-out', 'The text has opt-out instructions', 'Promotional messages need them.')]
  return [
    advice('opt-out', 'The text has no opt-out instructions', 'Promotional messages must tell people how to opt out.'),
  ]
}
