import type { RcsSuggestion } from '@carillon/contract/channels/rcs/rcs-templates'

export type SuggestionType = RcsSuggestion['type']

const label = { text: '', postbackData: '' }

const emptySuggestions: Record<SuggestionType, RcsSuggestion> = {
  reply: { type: 'reply', ...label },
  open_url: { type: 'open_url', ...label, url: 'https://', opensIn: 'browser' },
  dial: { type: 'dial', ...label, phoneNumber: '+91' },
  view_location: { type: 'view_location', ...label, label: '', query: '' },
  share_location: { type: 'share_location', ...label },
  create_calendar_event: {
    type: 'create_calendar_event',
    ...label,
    startTime: '',
    endTime: '',
    title: '',
    description: '',
  },
}

export function emptySuggestion(type: SuggestionType): RcsSuggestion {
  return emptySuggestions[type]
}

/** The default postback of a label: 'Shop now!' becomes `shop_now`. Labels in every script keep their letters. */
export function postbackOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
}

/** The postback follows the label until it is changed by hand. */
export function withLabel(suggestion: RcsSuggestion, text: string): RcsSuggestion {
  const isDefault = suggestion.postbackData === postbackOf(suggestion.text)
  return { ...suggestion, text, postbackData: isDefault ? postbackOf(text) : suggestion.postbackData }
}

/** The same label and postback with another action. */
export function withType({ text, postbackData }: RcsSuggestion, type: SuggestionType): RcsSuggestion {
  return { ...emptySuggestions[type], text, postbackData }
}

export function movedSuggestion(suggestions: readonly RcsSuggestion[], index: number, by: 1 | -1): RcsSuggestion[] {
  const next = [...suggestions]
  const [moved] = next.splice(index, 1)
  if (moved) next.splice(Math.max(0, index + by), 0, moved)
  return next
}
