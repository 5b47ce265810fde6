/** Texts used in several places of the RCS template screens. */
export const rcsTexts = {
  listTitle: 'RCS templates',
  newTitle: 'New RCS template',
  emptyTitle: 'Build a card people can tap',
  emptyText: 'Text, a card or a carousel with images, links and replies. Phones without RCS get your fallback.',
  saved: 'Template saved',
  savedText: 'It can be sent now.',
  submittedText: 'The operator reviews it before it can be sent.',
} as const

/** Effects of a deletion on campaigns. */
export const rcsTemplateKept = {
  scheduled: 'Scheduled campaigns keep the content they were planned with, and are sent.',
  running: 'Running campaigns continue with the content they were started with.',
} as const
