import type { ThreadItemOf } from '@carillon/contract/conversation-records'

/** A message that can be replied to. */
export type ReplyTarget = ThreadItemOf<'inbound'> | ThreadItemOf<'outbound'>

export type ComposerMode = 'reply' | 'note'
