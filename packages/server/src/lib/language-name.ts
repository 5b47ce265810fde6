const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** English name of a template language, such as Portuguese (Brazil) for `pt_BR`; unknown codes are returned unchanged. */
export function languageName(code: string): string {
  try {
    return names.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}
