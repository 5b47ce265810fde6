/** Texts used in several places of the WhatsApp template screens. */
export const whatsappTexts = {
  listTitle: 'WhatsApp templates',
  newTitle: 'New WhatsApp template',
  emptyTitle: 'Create your first approved message',
  emptyText: 'Meta reviews every template before it can be sent. Problems are shown here before you submit.',
  submitted: 'Submitted to Meta',
  submittedText: 'Review usually takes minutes, at most a day. We’ll notify you when it’s done.',
  nothingToMake: 'No names, amounts, dates or codes found that vary by person',
  locked: (language: string) => `${language} cannot be changed while Meta has it in this state.`,
} as const
