import type { LanguageCode } from './languages.ts'

const scripts: readonly [RegExp, LanguageCode][] = [
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Bengali}/u, 'bn'],
  [/\p{Script=Gujarati}/u, 'gu'],
  [/\p{Script=Kannada}/u, 'kn'],
  [/\p{Script=Malayalam}/u, 'ml'],
  [/\p{Script=Oriya}/u, 'or'],
  [/\p{Script=Gurmukhi}/u, 'pa'],
  [/\p{Script=Tamil}/u, 'ta'],
  [/\p{Script=Telugu}/u, 'te'],
  [/\p{Script=Sinhala}/u, 'si'],
  [/\p{Script=Arabic}/u, 'ur'],
]

/** The most likely language of a text by its script, for a draft whose language can still be changed. */
export function guessLanguage(text: string): LanguageCode {
  return scripts.find(([script]) => script.test(text))?.[1] ?? 'en'
}
