export type RcsMedia = {
  url?: string
  /** Id of an uploaded file. */
  fileId?: string
  thumbnailUrl?: string
  mimeType?: string
  fileName?: string
  height?: 'SHORT' | 'MEDIUM' | 'TALL'
  description?: string
}

export type RcsPlace = { latitude: number; longitude: number; label?: string }

export type RcsSuggestion = {
  kind: 'reply' | 'dial' | 'url' | 'view_location' | 'calendar' | 'share_location'
  text: string
  postbackData: string
  url?: string
  phoneNumber?: string
  place?: RcsPlace
  query?: string
  event?: { title: string; description?: string; startTime: string; endTime: string }
}

export type RcsCard = { title?: string; description?: string; media?: RcsMedia; suggestions: RcsSuggestion[] }

/** An RCS message as displayed to the person. */
export type RcsContent = {
  text?: string
  media?: RcsMedia
  place?: RcsPlace
  card?: RcsCard & { orientation: 'VERTICAL' | 'HORIZONTAL'; alignment: 'LEFT' | 'RIGHT' }
  carousel?: { width: 'SMALL' | 'MEDIUM'; cards: RcsCard[] }
  /** Below the message, until the conversation continues. */
  suggestions: RcsSuggestion[]
  /** The tapped suggestion that this message answers. */
  tapped?: { messageId: string; postbackData: string }
}

/** The text in reading order. */
export function textOf({ text, card, carousel, media, place }: RcsContent): string {
  const words = [
    text,
    ...[card, ...(carousel?.cards ?? [])].flatMap((each) => [each?.title, each?.description]),
    place && (place.label ?? `${place.latitude}, ${place.longitude}`),
  ].filter((each) => each !== undefined && each !== '')
  if (words.length > 0) return words.join('\n')
  return media?.fileName ?? (media ? 'File' : card || carousel ? 'Rich card' : '')
}

/** Every suggestion of a message in reading order. */
export function allSuggestions({ card, carousel, suggestions }: RcsContent): RcsSuggestion[] {
  return [...(card?.suggestions ?? []), ...(carousel?.cards.flatMap((each) => each.suggestions) ?? []), ...suggestions]
}
