export const texts = {
  listTitle: 'SMS templates',
  emptyTitle: 'Bring your DLT templates',
  emptyText: 'Paste the text of an approval mail anywhere on this page, or enter a template by hand.',
  newTitle: 'New SMS template',
  editTitle: (name: string) => `Edit ${name}`,
} as const

export const languages = [
  { value: 'en', label: 'English' },
  { value: 'hi', label: 'Hindi' },
  { value: 'bn', label: 'Bengali' },
  { value: 'gu', label: 'Gujarati' },
  { value: 'kn', label: 'Kannada' },
  { value: 'ml', label: 'Malayalam' },
  { value: 'mr', label: 'Marathi' },
  { value: 'or', label: 'Odia' },
  { value: 'pa', label: 'Punjabi' },
  { value: 'ta', label: 'Tamil' },
  { value: 'te', label: 'Telugu' },
  { value: 'ur', label: 'Urdu' },
] as const
