import {
  fillTemplateText,
  listTemplateVariables,
} from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import type { WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { bodyVariablesOf, isAuthentication, textValueOf, variablesOf, type TemplateLeg } from './template-leg.ts'

/** A template's values by variable name. */
export type FilledValues = {
  header: Record<string, string>
  body: Record<string, string>
  cards: Record<string, string>[]
}

/** One row's values for the variables of the texts; variables without a value are omitted. */
export function fillValues(leg: TemplateLeg, cells: readonly string[]): FilledValues {
  const { content, parameterFormat } = leg.template
  const { values } = leg
  const { header } = content
  const headerNames = header?.format === 'TEXT' ? listTemplateVariables(header.text) : []
  return {
    header: named(headerNames, values.header ? [values.header] : [], cells),
    body: named(bodyVariablesOf(leg), values.body, cells),
    cards: content.cards.map(({ body }, index) =>
      named(variablesOf(body, parameterFormat), values.cards[index]?.body ?? [], cells),
    ),
  }
}

function named(
  names: readonly string[],
  sources: TemplateLeg['values']['body'],
  cells: readonly string[],
): Record<string, string> {
  const filled = names.map((name, index): [string, string] => [name, textValueOf(sources[index], cells)])
  return Object.fromEntries(filled.filter(([, value]) => value !== ''))
}

/** The message as plain text, from top to bottom. */
export function textOf(content: WhatsappTemplateContent, values: Partial<FilledValues> = {}): string {
  const { header, body, footer, cards } = textsOf(content, values)
  return [header, body, footer, ...cards].filter((text) => text !== '').join('\n')
}

/** The texts of each part of the message. */
export function textsOf(content: WhatsappTemplateContent, values: Partial<FilledValues> = {}) {
  const { header, body, footer, cards } = content
  return {
    header: header?.format === 'TEXT' ? fillTemplateText(header.text, values.header ?? {}) : '',
    body: fillTemplateText(isAuthentication(content) ? codeText(content) : body, values.body ?? {}),
    footer: isAuthentication(content) ? expiryText(content) : footer,
    cards: cards.map((card, index) => fillTemplateText(card.body, values.cards?.[index] ?? {})),
  }
}

/** Meta's own text, in English; other languages are returned with the template. */
function codeText({ body, securityRecommendation }: WhatsappTemplateContent): string {
  if (body !== '') return body
  const advice = securityRecommendation ? ' For your security, do not share this code.' : ''
  return `*{{1}}* is your verification code.${advice}`
}

function expiryText({ footer, codeExpirationMinutes: minutes }: WhatsappTemplateContent): string {
  if (footer !== '' || minutes === undefined) return footer
  return minutes === 1 ? 'This code expires in 1 minute.' : `This code expires in ${minutes} minutes.`
}
