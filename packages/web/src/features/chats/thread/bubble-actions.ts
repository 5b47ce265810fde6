import type { ThreadItemOf } from '@carillon/contract/conversation-records'
import type { TemplateDraft } from '../state/template-drafts.ts'
import type { ReplyTarget } from '../composer/composer-types.ts'

/** What a reader can do with a message. */
export type BubbleActions = {
  onReplyTo: (item: ReplyTarget) => void
  onReact: (itemId: string, emoji: string) => void
  onJump: (itemId: string) => void
  onRetry: (item: ThreadItemOf<'outbound'>) => void
  /** Opens the templates, or one of them. */
  onTemplate: (draft?: TemplateDraft) => void
}
