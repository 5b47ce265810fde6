import type { RcsCard, RcsSuggestion, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { compileRcsText } from './compile-text.ts'
import type { RcsCardJson, RcsContentJson, RcsSuggestionJson } from './message.ts'

/** Values of a template's variables by name. */
export type RcsVariableValues = ReadonlyMap<string, string>

type Fill<Part> = (values: RcsVariableValues) => Part

/** The message of a template in the format of RCS Business Messaging, filled with one row's values. */
export function compileRcsContent(content: RcsTemplateContent): Fill<RcsContentJson> {
  const body = compileBody(content)
  const suggestions = compileSuggestions(content.suggestions)
  return (values) => ({ ...body(values), ...suggestions(values) })
}

function compileBody(content: RcsTemplateContent): Fill<RcsContentJson> {
  const { type, textMessageContent, orientation, alignment, height, width, standAlone, carouselList } = content
  if (type === 'text_message') {
    const text = compileRcsText(textMessageContent)
    return (values) => ({ text: text(values) })
  }
  if (type === 'carousel') {
    const cards = carouselList
      .toSorted((one, other) => one.order - other.order)
      .map((card) => compileCard(card, height))
    return (values) => ({
      richCard: { carouselCard: { cardWidth: width, cardContents: cards.map((fill) => fill(values)) } },
    })
  }
  if (!standAlone) throw new Error('The template has no card')
  const card = compileCard(standAlone, height)
  const frame = {
    cardOrientation: orientation,
    ...(orientation === 'HORIZONTAL' ? { thumbnailImageAlignment: alignment } : {}),
  }
  return (values) => ({ richCard: { standaloneCard: { ...frame, cardContent: card(values) } } })
}

function compileCard(card: RcsCard, height: string): Fill<RcsCardJson> {
  const [title, description] = [compileRcsText(card.cardTitle), compileRcsText(card.cardDescription)]
  const media = compileMedia(card, height)
  const suggestions = compileSuggestions(card.suggestions)
  return (values) => ({
    ...(card.cardTitle === '' ? {} : { title: title(values) }),
    ...(card.cardDescription === '' ? {} : { description: description(values) }),
    ...media(values),
    ...suggestions(values),
  })
}

function compileMedia(
  { mediaUrl, thumbnailUrl, mediaDescription }: RcsCard,
  height: string,
): Fill<Pick<RcsCardJson, 'media'>> {
  if (mediaUrl === '') return () => ({})
  const url = compileRcsText(mediaUrl, encodeURIComponent)
  const description = mediaDescription === '' ? {} : { contentDescription: mediaDescription }
  return (values) => ({
    media: {
      height,
      contentInfo: { fileUrl: url(values), ...(thumbnailUrl === '' ? {} : { thumbnailUrl }) },
      ...description,
    },
  })
}

function compileSuggestions(suggestions: readonly RcsSuggestion[]): Fill<{ suggestions?: RcsSuggestionJson[] }> {
  if (suggestions.length === 0) return () => ({})
  const fills = suggestions.map(compileSuggestion)
  return (values) => ({ suggestions: fills.map((fill) => fill(values)) })
}

function compileSuggestion(suggestion: RcsSuggestion): Fill<RcsSuggestionJson> {
  const { text } = suggestion
  // A tap is reported with its postback, which must not be empty.
  const label = { text, postbackData: suggestion.postbackData || text }
  if (suggestion.type === 'reply') return () => ({ reply: label })
  if (suggestion.type === 'open_url') {
    const url = compileRcsText(suggestion.url, encodeURIComponent)
    return (values) => ({ action: { ...label, openUrlAction: openUrl(suggestion, url(values)) } })
  }
  const action = { ...label, ...actionOf(suggestion) }
  return () => ({ action })
}

function openUrl({ opensIn, text }: Extract<RcsSuggestion, { type: 'open_url' }>, url: string): object {
  return opensIn === 'webview'
    ? { url, application: 'WEBVIEW', webviewViewMode: 'FULL', description: text }
    : { url, application: 'BROWSER' }
}

function actionOf(suggestion: Exclude<RcsSuggestion, { type: 'reply' | 'open_url' }>): Record<string, unknown> {
  switch (suggestion.type) {
    case 'dial':
      return { dialAction: { phoneNumber: suggestion.phoneNumber.replaceAll(/[\s()-]/g, '') } }
    case 'view_location':
      return { viewLocationAction: placeOf(suggestion) }
    case 'share_location':
      return { shareLocationAction: {} }
    case 'create_calendar_event': {
      const { startTime, endTime, title, description } = suggestion
      const times = { startTime: instantOf(startTime), endTime: instantOf(endTime) }
      return { createCalendarEventAction: { ...times, title, ...(description === '' ? {} : { description }) } }
    }
  }
}

function placeOf({ latitude, longitude, label, query }: Extract<RcsSuggestion, { type: 'view_location' }>): object {
  if (query !== '' || latitude === undefined || longitude === undefined) return { query }
  return { latLong: { latitude, longitude }, ...(label === '' ? {} : { label }) }
}

function instantOf(time: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? time : date.toISOString()
}
