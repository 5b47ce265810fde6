import { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { WhatsappTemplateContent, type TemplateButton } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { ServerChannel } from '../channel.ts'
import { hasUrlVariable } from './template-leg.ts'

/** The sources of a template's values, each replaced. */
export const mapWhatsappSources: ServerChannel['mapSources'] = ({ template, values }, change) => {
  const content = WhatsappTemplateContent.parse(template.content)
  const { header, body, urls, copyCode, cards, ...rest } = TemplateValues.parse(values)
  const texts = (sources: typeof body, place = '') =>
    sources.map((source, index) => change(source, { name: `{{${index + 1}}}${place}` }))
  const suffixes = (sources: typeof urls, buttons: readonly TemplateButton[]) => {
    const dynamic = buttons.filter((button) => button.type === 'URL').filter(hasUrlVariable)
    return sources.map((source, index) => {
      const { text = 'the button', url = '' } = dynamic[index] ?? {}
      return change(source, { name: text, urlPrefix: url.split('{{')[0] ?? '' })
    })
  }
  return {
    ...rest,
    ...(header && { header: change(header, { name: 'the header' }) }),
    body: texts(body),
    urls: suffixes(urls, content.buttons),
    ...(copyCode && { copyCode: change(copyCode, { name: 'the code' }) }),
    cards: cards.map((card, index) => ({
      ...card,
      body: texts(card.body, ` of card ${index + 1}`),
      urls: suffixes(card.urls, content.cards[index]?.buttons ?? []),
    })),
  } satisfies TemplateValues
}
