export type RcsFinding = {
  /** Path in the input: `name`, `standAlone.cardTitle`, `carouselList.1.suggestions.0.text`. */
  field: string
  message: string
  /** `error`: the provider rejects the message. `advice`: some phones or operators show it differently. */
  level: 'error' | 'advice'
}

export const error = (field: string, message: string): RcsFinding => ({ field, message, level: 'error' })
export const advice = (field: string, message: string): RcsFinding => ({ field, message, level: 'advice' })
