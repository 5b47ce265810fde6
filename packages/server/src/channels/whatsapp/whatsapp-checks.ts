import { z } from 'zod'
import { languageName } from '../../lib/language-name.ts'
import { advice, blocker, pass, type Check, type LoadedLeg } from '../channel.ts'
import { readWhatsappLeg } from './whatsapp-legs.ts'

/** The facts about a number that the checks use, as last reported by Meta. */
const LineFacts = z.object({ quality: z.string().catch('unknown'), status: z.string().catch('') })

export function checkNumber({ sender }: LoadedLeg): Check[] {
  const { quality, status } = LineFacts.parse(sender.facts ?? {})
  return [checkConnection(sender, status), ...checkQuality(quality)]
}

function checkConnection(sender: LoadedLeg['sender'], status: string): Check {
  const shown = sender.headers[0] ?? sender.name
  if (!sender.isActive) return blocker('account', `${shown} is inactive`, 'Activate the number before you start.')
  if (status !== '' && status !== 'CONNECTED')
    return blocker('account', `${shown} is not connected`, `Meta reports ${status}. Check it under WhatsApp numbers.`)
  return pass('account', 'The number is active', shown)
}

function checkQuality(quality: string): Check[] {
  if (quality !== 'red' && quality !== 'yellow') return []
  return [
    advice(
      'quality',
      `The quality of the number is ${quality === 'red' ? 'low' : 'medium'}`,
      'People block or report it. Send only to people who expect it; Meta may stop the number.',
    ),
  ]
}

export function checkWhatsappTemplate(leg: LoadedLeg): Check[] {
  return [checkApproval(leg), ...checkMedia(leg)]
}

function checkApproval(leg: LoadedLeg): Check {
  const { template, sender } = leg
  const { status } = readWhatsappLeg(leg)
  if (template.accountId !== sender.accountId)
    return blocker('template', 'The template belongs to another account', 'Choose a template of the number’s account.')
  if (status !== 'APPROVED')
    return blocker(
      'template',
      `The template is ${status.toLowerCase().replaceAll('_', ' ')}`,
      'Only approved templates are sent.',
    )
  return pass('template', 'The template is approved', `${template.name}, ${languageName(template.language)}`)
}

function checkMedia(leg: LoadedLeg): Check[] {
  const {
    content: { header },
    values,
  } = readWhatsappLeg(leg)
  if (!header || header.format === 'TEXT') return []
  if (header.format === 'LOCATION')
    return values.location ? [] : [blocker('media', 'The header has no location', 'Enter coordinates or an address.')]
  if (values.media) return [pass('media', 'The header has its file', 'It is shown above the text.')]
  return [blocker('media', 'The header has no file', `Upload the ${header.format.toLowerCase()} for the message.`)]
}

const optOutPattern = /\b(?:stop|opt[ -]?out|unsub(?:scribe)?)\b|रोकें|बंद/iu

export function checkWhatsappMessages(leg: LoadedLeg): Check[] {
  const { category, content } = readWhatsappLeg(leg)
  if (category !== 'MARKETING') return []
  const texts = [
    content.body,
    content.footer,
    ...content.buttons.map((button) => ('text' in button ? button.text : '')),
  ]
  const consequence = 'People who cannot opt out block the number instead'
  if (texts.some((text) => optOutPattern.test(text)))
    return [pass('opt-out', 'The message has opt-out instructions', `${consequence}.`)]
  return [advice('opt-out', 'The message has no opt-out instructions', `${consequence}, and its quality falls.`)]
}
