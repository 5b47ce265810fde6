/** The words of the WhatsApp template screens that stand in more than one place. */
export const whatsappTexts = {
  listTitle: 'WhatsApp templates',
  newTitle: 'New WhatsApp template',
  emptyTitle: 'Create your first approved message',
  emptyText:
    'Meta reads a template before it may be sent. Write one here: what it would refuse is told before you submit.',
  submitted: 'Submitted to Meta',
  submittedText: 'The review mostly takes minutes, at most a day. You are told when it is over.',
  nothingToMake: 'No name, amount, date or code found that would differ from one person to the next',
  locked: (language: string) => `${language} cannot be changed while Meta has it in this state.`,
} as const
