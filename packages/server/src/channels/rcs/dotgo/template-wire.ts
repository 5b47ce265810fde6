import { RcsTemplateContent, type RcsCard, type RcsSuggestion } from '@carillon/contract/channels/rcs/rcs-templates'
import { rcsVariable } from '@carillon/contract/channels/rcs/rcs-variables'
import type { ManagedFile } from '../../management.ts'
import { Refusal } from '../../management.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import type { RcsTemplateDraft } from '../management.ts'
import type { DotgoConfig } from './config.ts'

type Mark = DotgoConfig['variableMark']
type NamedFile = { fileName: string; file: ManagedFile }
/** A template as the platform expects it, and the files that are sent with it. */
type Written = { data: Row; files: NamedFile[] }

/** Writes a template; our own files are sent with it, other media are named by their URLs. */
export function writeTemplate({ name, content, files = new Map() }: RcsTemplateDraft, mark: Mark): Written {
  const write = (text: string) =>
    text.replaceAll(rcsVariable, (_all, variable: string) => mark.replace('name', variable))
  const sent: NamedFile[] = []
  const card = (given: RcsCard) => {
    const file = files.get(given.mediaUrl)
    const fileName = file && `${sent.length + 1}-${file.name.replaceAll(/[^\w.-]/g, '_')}`
    if (file && fileName !== undefined) sent.push({ fileName, file })
    return writeCard(given, { write, fileName })
  }
  return { data: { name, ...writeContent(content, { write, card }) }, files: sent }
}

type Write = (text: string) => string

function writeContent(
  content: RcsTemplateContent,
  { write, card }: { write: Write; card: (given: RcsCard) => Row },
): Row {
  const { type, textMessageContent, orientation, alignment, height, width, standAlone, carouselList } = content
  const suggestions = content.suggestions.map((each) => writeSuggestion(each, write))
  if (type === 'text_message')
    return { type: 'text_message', textMessageContent: write(textMessageContent), ...listOf(suggestions) }
  if (type === 'carousel')
    return {
      type: 'carousel',
      height: `${height}_HEIGHT`,
      width: `${width}_WIDTH`,
      carouselList: carouselList.toSorted((one, other) => one.order - other.order).map(card),
      ...listOf(suggestions),
    }
  return {
    type: 'rich_card',
    orientation,
    ...(orientation === 'HORIZONTAL' ? { alignment } : {}),
    height: `${height}_HEIGHT`,
    ...(standAlone ? { standAlone: card(standAlone) } : {}),
    ...listOf(suggestions),
  }
}

const listOf = (suggestions: readonly Row[]) => (suggestions.length === 0 ? {} : { suggestions })

function writeCard(card: RcsCard, { write, fileName }: { write: Write; fileName: string | undefined }): Row {
  const { cardTitle, cardDescription, mediaUrl, thumbnailUrl, suggestions } = card
  const media = mediaUrl === '' ? {} : { mediaUrl: write(mediaUrl), ...(thumbnailUrl === '' ? {} : { thumbnailUrl }) }
  return {
    ...(cardTitle === '' ? {} : { cardTitle: write(cardTitle) }),
    ...(cardDescription === '' ? {} : { cardDescription: write(cardDescription) }),
    ...(fileName === undefined ? media : { fileName }),
    ...listOf(suggestions.map((each) => writeSuggestion(each, write))),
  }
}

function writeSuggestion(suggestion: RcsSuggestion, write: Write): Row {
  const { text: displayText } = suggestion
  const label = { displayText, postback: suggestion.postbackData || displayText }
  switch (suggestion.type) {
    case 'reply':
      return { suggestionType: 'reply', ...label }
    case 'open_url':
      return { suggestionType: 'url_action', ...label, url: write(suggestion.url) }
    case 'dial':
      return {
        suggestionType: 'dialer_action',
        ...label,
        phoneNumber: suggestion.phoneNumber.replaceAll(/[\s()-]/g, ''),
      }
    case 'share_location':
      return { suggestionType: 'share_location', ...label }
    case 'view_location':
    case 'create_calendar_event':
      throw new Refusal('Templates of this operator cannot show a place or a calendar event: remove these actions', {
        code: 'suggestion',
        kind: 'input',
      })
  }
}

/** Reads a template of the platform. What it does not know has the default of our templates. */
export function readTemplate(data: Row, mark: Mark): RcsTemplateContent {
  const pattern = new RegExp(
    mark.replaceAll(/[[\]{}]/g, String.raw`\$&`).replace('name', String.raw`([A-Za-z]\w*)`),
    'g',
  )
  const read = (value: unknown) => (stringOf(value) ?? '').replaceAll(pattern, '{{$1}}')
  const card = (row: Row) => readCard(row, read)
  const given = {
    type: data['type'] === 'rich_card' ? 'rich_card_standalone' : data['type'],
    textMessageContent: read(data['textMessageContent']),
    orientation: data['orientation'],
    alignment: data['alignment'],
    height: stringOf(data['height'])?.replace(/_HEIGHT$/, ''),
    width: stringOf(data['width'])?.replace(/_WIDTH$/, ''),
    suggestions: rowsOf(data['suggestions']).flatMap((each) => readSuggestion(each, read)),
    ...(data['standAlone'] ? { standAlone: card(rowOf(data['standAlone'])) } : {}),
    carouselList: rowsOf(data['carouselList']).map((row, order) => ({ order, ...card(row) })),
  }
  // A template that we cannot read is shown by its text.
  return (
    RcsTemplateContent.safeParse(given).data ??
    RcsTemplateContent.parse({ type: 'text_message', textMessageContent: given.textMessageContent.slice(0, 3072) })
  )
}

function readCard(row: Row, read: (value: unknown) => string) {
  return {
    cardTitle: read(row['cardTitle']),
    cardDescription: read(row['cardDescription']),
    mediaUrl: read(row['mediaUrl']),
    thumbnailUrl: stringOf(row['thumbnailUrl']) ?? '',
    suggestions: rowsOf(row['suggestions']).flatMap((each) => readSuggestion(each, read)),
  }
}

function readSuggestion(row: Row, read: (value: unknown) => string): object[] {
  const label = { text: stringOf(row['displayText']) ?? '', postbackData: stringOf(row['postback']) ?? '' }
  switch (row['suggestionType']) {
    case 'reply':
      return [{ type: 'reply', ...label }]
    case 'url_action':
      return [{ type: 'open_url', ...label, url: read(row['url']) }]
    case 'dialer_action':
      return [{ type: 'dial', ...label, phoneNumber: stringOf(row['phoneNumber']) ?? '' }]
    case 'share_location':
      return [{ type: 'share_location', ...label }]
    default:
      return []
  }
}
