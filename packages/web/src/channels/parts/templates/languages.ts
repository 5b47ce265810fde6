const names = {
  en: 'English',
  en_US: 'English (US)',
  en_GB: 'English (UK)',
  hi: 'Hindi',
  bn: 'Bengali',
  gu: 'Gujarati',
  kn: 'Kannada',
  ml: 'Malayalam',
  mr: 'Marathi',
  or: 'Odia',
  pa: 'Punjabi',
  ta: 'Tamil',
  te: 'Telugu',
  ur: 'Urdu',
  ar: 'Arabic',
  he: 'Hebrew',
  fa: 'Persian',
  ne: 'Nepali',
  si: 'Sinhala',
  de: 'German',
  es: 'Spanish',
  fr: 'French',
  id: 'Indonesian',
  pt: 'Portuguese',
  pt_BR: 'Portuguese (Brazil)',
  ru: 'Russian',
} as const

/** A language code as templates have it, with or without a region. */
export type LanguageCode = keyof typeof names

/** Options of a language choice. */
export function languageOptions<Code extends LanguageCode>(codes: readonly Code[]): { value: Code; label: string }[] {
  return codes.map((value) => ({ value, label: names[value] }))
}
