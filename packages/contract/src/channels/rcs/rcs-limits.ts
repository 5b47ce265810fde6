/** Limits of RCS content as Google documents them; texts are counted in characters unless stated otherwise. */
export const rcsLimits = {
  text: 3072,
  title: 200,
  description: 2000,
  minimumCards: 2,
  cards: 10,
  suggestionsPerCard: 4,
  suggestions: 11,
  suggestionText: 25,
  postback: 2048,
  url: 2048,
  calendarTitle: 100,
  calendarDescription: 500,
  /** Bytes of the whole message as JSON. */
  payloadBytes: 250_000,
  imageBytes: 2_000_000,
  videoBytes: 10_000_000,
  /** UTF-8 bytes of a text that is billed as a basic message. */
  basicTextBytes: 160,
  name: 100,
} as const

/** Height of a card's media on the phone, in CSS pixels. */
export const rcsMediaHeights = { SHORT: 112, MEDIUM: 168, TALL: 264 } as const

/** Width of a carousel's cards on the phone, in CSS pixels. */
export const rcsCardWidths = { SMALL: 120, MEDIUM: 232 } as const
