export const texts = {
  title: 'Template families',
  emptyTitle: 'Link templates that say the same thing',
  emptyText: 'A family has one template per channel. Compare them side by side and see what each channel leaves out.',
  newTitle: 'New template family',
  textHelp: 'Write {{first_name}} for a variable. Channels set to “Shared text” follow what you type.',
  rewrites: 'Only drafts can change. Saving writes this text as a new draft; the current template is kept.',
  unavailable: 'This template is no longer available. Choose another.',
}
