const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** What people call a language of a template: `pt_BR` is Portuguese (Brazil); a code nobody knows stands for itself. */
export function languageName(code: string): string {
  try {
    return names.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}
