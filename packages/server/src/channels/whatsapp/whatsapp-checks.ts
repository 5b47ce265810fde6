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
  if (!sender.isActive) return blocker('account', `${shown} is off`, 'Switch the number on before you start.')
  if (status !== '' && status !== 'CONNECTED')
    return blocker('account', `${shown} is not connected`, `Meta says ${status}. Look at it under WhatsApp numbers.`)
  return pass('account', 'The number is on', shown)
}

function checkQuality(quality: string): Check[] {
  if (quality !== 'red' && quality !== 'yellow') return []
  return [
    advice(
      'quality',
      `The quality of the number is ${quality === 'red' ? 'low' : 'medium'}`,
      'People block or report it. Send to those who expect it first; Meta may stop the number.',
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
    return blocker('template', 'The template belongs to another account', 'Choose one of the number’s own account.')
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
    return values.location ? [] : [blocker('media', 'The header has no place', 'Enter where it leads.')]
  if (values.media) return [pass('media', 'The header has its file', 'It is shown above the text.')]
  return [
    blocker('media', 'The header has no file', `Upload the ${header.format.toLowerCase()} that the message shows.`),
  ]
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
    return [pass('opt-out', 'The message says how to opt out', `${consequence}.`)]
  return [advice('opt-out', 'The message does not say how to opt out', `${consequence}, and its quality falls.`)]
}
