import { languageOptions } from '../../parts/templates/languages.ts'

export const texts = {
  listTitle: 'SMS templates',
  emptyTitle: 'Add your DLT templates',
  emptyText: 'Paste the text of an approval mail anywhere on this page, or enter a template yourself.',
  newTitle: 'New SMS template',
  editTitle: (name: string) => `Edit ${name}`,
} as const

export const languages = languageOptions([
  'en',
  'hi',
  'bn',
  'gu',
  'kn',
  'ml',
  'mr',
  'or',
  'pa',
  'ta',
  'te',
  'ur',
  'ar',
  'he',
  'fa',
  'ne',
  'si',
  'de',
  'es',
  'fr',
  'id',
  'pt',
  'ru',
])
