import type { MessageTraits } from './message-traits.ts'

/** The traits of a message that has nothing but this text. */
export function traitsOfText(text: string, variables: readonly string[]): MessageTraits {
  return {
    heading: '',
    text,
    variables: [...new Set(variables)],
    linkVariables: [],
    images: 0,
    videos: 0,
    documents: 0,
    locations: 0,
    cards: 0,
    buttons: [],
    formats: [],
    footer: '',
    parts: 1,
    isUnicode: false,
  }
}
