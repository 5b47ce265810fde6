import type { VariableSource } from '@carillon/contract/campaign-records'
import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import type { TemplateButton, TemplateHeader } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import {
  bodyVariablesOf,
  hasUrlVariable,
  isAuthentication,
  textValueOf,
  variablesOf,
  type HeaderMedia,
  type ParameterFormat,
  type TemplateLeg,
  type TemplateValues,
} from './template-leg.ts'

/** One component of a message, filled for one row; undefined if a value is missing. */
type Fill = (cells: readonly string[]) => object | undefined

/** The components of a template with parameters, filled for one row; undefined if a value is missing. */
export function compileComponents(leg: TemplateLeg): (cells: readonly string[]) => object[] | undefined {
  const { content, parameterFormat } = leg.template
  const { values } = leg
  const fills = [
    ...compileHeader(content.header, values, parameterFormat),
    ...compileBody(bodyVariablesOf(leg), values.body, parameterFormat),
    ...(isAuthentication(content) ? compileCode(values) : compileButtons(content.buttons, values)),
    ...compileCards(leg),
  ]
  return (cells) => fillAll(fills, cells)
}

function fillAll(fills: readonly Fill[], cells: readonly string[]): object[] | undefined {
  const filled: object[] = []
  for (const fill of fills) {
    const component = fill(cells)
    if (component === undefined) return undefined
    filled.push(component)
  }
  return filled
}

function compileHeader(
  header: TemplateHeader | undefined,
  { header: source, media, location }: Pick<TemplateValues, 'header' | 'media' | 'location'>,
  format: ParameterFormat,
): Fill[] {
  if (!header) return []
  if (header.format === 'TEXT') {
    const sources = source ? [source] : []
    return compileTexts('header', { names: listTemplateVariables(header.text), sources, format })
  }
  if (header.format === 'LOCATION')
    return [() => (location ? { type: 'header', parameters: [{ type: 'location', location }] } : undefined)]
  const kind = header.format.toLowerCase()
  return [
    (cells) => {
      const shown = mediaOf(media, cells)
      return shown && { type: 'header', parameters: [{ type: kind, [kind]: withName(shown, kind, media?.filename) }] }
    },
  ]
}

/** A provider replaces `fileId` by its id of the file. */
type ShownMedia = { id: string } | { link: string } | { fileId: string }

/** A cell contains a URL, or the id of an uploaded file. */
function mediaOf(media: HeaderMedia | undefined, cells: readonly string[]): ShownMedia | undefined {
  if (!media) return undefined
  if ('mediaId' in media) return { id: media.mediaId }
  if ('fileId' in media) return { fileId: media.fileId }
  if ('link' in media) return { link: media.link }
  const cell = (cells[media.column] ?? '').trim()
  if (/^\d{5,}$/.test(cell)) return { id: cell }
  return /^https?:\/\/\S+$/i.test(cell) ? { link: cell } : undefined
}

function withName(shown: ShownMedia, kind: string, filename: string | undefined) {
  return kind === 'document' && filename ? { ...shown, filename } : shown
}

function compileBody(names: readonly string[], sources: readonly VariableSource[], format: ParameterFormat): Fill[] {
  return compileTexts('body', { names, sources, format })
}

type Texts = { names: readonly string[]; sources: readonly VariableSource[]; format: ParameterFormat }

function compileTexts(type: 'header' | 'body', { names, sources, format }: Texts): Fill[] {
  if (names.length === 0) return []
  return [
    (cells) => {
      const parameters: object[] = []
      for (const [index, name] of names.entries()) {
        const text = textValueOf(sources[index], cells)
        if (text === '') return undefined
        parameters.push(format === 'named' ? { type: 'text', parameter_name: name, text } : { type: 'text', text })
      }
      return { type, parameters }
    },
  ]
}

/** The code is in the body and in the copy button. */
function compileCode({ body }: TemplateValues): Fill[] {
  return [buttonFill({ index: 0, kind: 'url', source: body[0] })]
}

function compileButtons(
  buttons: readonly TemplateButton[],
  { urls, copyCode }: { urls: readonly VariableSource[]; copyCode?: VariableSource | undefined },
): Fill[] {
  let urlCount = 0
  return buttons.flatMap((button, index) => {
    if (button.type === 'COPY_CODE') return [buttonFill({ index, kind: 'copy_code', source: copyCode })]
    if (!hasUrlVariable(button)) return []
    const source = urls[urlCount]
    urlCount += 1
    return [buttonFill({ index, kind: 'url', source })]
  })
}

type Button = { index: number; kind: 'url' | 'copy_code'; source: VariableSource | undefined }

function buttonFill({ index, kind, source }: Button): Fill {
  return (cells) => {
    const value = textValueOf(source, cells)
    if (value === '') return undefined
    const parameter = kind === 'url' ? { type: 'text', text: value } : { type: 'coupon_code', coupon_code: value }
    return { type: 'button', sub_type: kind, index: String(index), parameters: [parameter] }
  }
}

function compileCards({ template: { content, parameterFormat: format }, values }: TemplateLeg): Fill[] {
  if (content.cards.length === 0) return []
  const cards = content.cards.map((card, index) => {
    const own = values.cards[index] ?? { body: [], urls: [] }
    return [
      ...compileHeader(card.header, { media: own.media }, format),
      ...compileBody(variablesOf(card.body, format), own.body, format),
      ...compileButtons(card.buttons, own),
    ]
  })
  return [
    (cells) => {
      const filled = cards.map((fills) => fillAll(fills, cells))
      if (filled.includes(undefined)) return undefined
      return { type: 'carousel', cards: filled.map((components, index) => ({ card_index: index, components })) }
    },
  ]
}
