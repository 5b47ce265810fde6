import type { RcsSuggestion, RcsTemplateContent } from './rcs-templates.ts'

/** Abilities of a phone as RCS names them. */
export const rcsFeatures = [
  'RICHCARD_STANDALONE',
  'RICHCARD_CAROUSEL',
  'ACTION_CREATE_CALENDAR_EVENT',
  'ACTION_DIAL',
  'ACTION_OPEN_URL',
  'ACTION_OPEN_URL_IN_WEBVIEW',
  'ACTION_SHARE_LOCATION',
  'ACTION_VIEW_LOCATION',
] as const
export type RcsFeature = (typeof rcsFeatures)[number]

const featureOfSuggestion: Record<RcsSuggestion['type'], RcsFeature | undefined> = {
  reply: undefined,
  open_url: 'ACTION_OPEN_URL',
  dial: 'ACTION_DIAL',
  view_location: 'ACTION_VIEW_LOCATION',
  share_location: 'ACTION_SHARE_LOCATION',
  create_calendar_event: 'ACTION_CREATE_CALENDAR_EVENT',
}

/** The features a phone needs to show a template as designed. */
export function featuresOf(content: RcsTemplateContent): RcsFeature[] {
  const cards =
    content.type === 'carousel'
      ? content.carouselList
      : content.standAlone && content.type !== 'text_message'
        ? [content.standAlone]
        : []
  const needed = [...content.suggestions, ...cards.flatMap((card) => card.suggestions)].map(featureOf)
  const card = cardFeatures[content.type]
  return [...new Set([card, ...needed])].filter((feature) => feature !== undefined)
}

const cardFeatures: Record<RcsTemplateContent['type'], RcsFeature | undefined> = {
  text_message: undefined,
  rich_card_standalone: 'RICHCARD_STANDALONE',
  carousel: 'RICHCARD_CAROUSEL',
}

function featureOf(suggestion: RcsSuggestion): RcsFeature | undefined {
  return suggestion.type === 'open_url' && suggestion.opensIn === 'webview'
    ? 'ACTION_OPEN_URL_IN_WEBVIEW'
    : featureOfSuggestion[suggestion.type]
}
