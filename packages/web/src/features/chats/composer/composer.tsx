import type { Conversation } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useServerNow } from '../state/server-clock.ts'
import { windowOf } from '../state/service-window.ts'
import type { ComposerMode, ReplyTarget } from './composer-types.ts'
import { NoteComposer } from './note-composer.tsx'
import { ReplyComposer } from './reply-composer.tsx'
import type { TemplateDraft } from '../state/template-drafts.ts'
import { ScheduledReplies } from './scheduled-replies.tsx'
import { TemplateStrip } from './template-strip.tsx'
import type { CallData } from '../../../lib/call.ts'

export type TemplatesShown = {
  /** The templates were asked for although the window is open. */
  isAsked: boolean
  draft?: TemplateDraft | undefined
}

type ComposerProps = {
  conversation: Conversation
  scheduled: CallData<'conversations.get'>['scheduled']
  accountId: string | undefined
  mode: ComposerMode
  onMode: (mode: ComposerMode) => void
  replyTo: ReplyTarget | undefined
  onReplyTo: (target: ReplyTarget | undefined) => void
  templates: TemplatesShown
  onTemplates: (templates: TemplatesShown) => void
  onTyping: () => void
  onUnblock: () => void
}

/** Reply or note. When the window is closed, the reply becomes a choice of templates; what was typed stays as a draft. */
export function Composer(props: ComposerProps) {
  const { conversation, scheduled, mode, onMode, templates, onTemplates } = props
  const { level } = windowOf(conversation, useServerNow())
  const isClosed = level === 'closed'
  const [announced, setAnnounced] = useState('')

  function change(next: ComposerMode) {
    onMode(next)
    setAnnounced(next === 'note' ? 'Writing a note. Only your team sees it.' : 'Writing a reply')
  }
  return (
    <div className="shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-[calc(8px+env(safe-area-inset-bottom))]">
      <ScheduledReplies conversation={conversation} scheduled={scheduled} />
      <div
        className={clsx(
          'rounded-lg border bg-card has-[textarea:focus-visible]:border-ring has-[textarea:focus-visible]:outline-1 has-[textarea:focus-visible]:outline-ring',
          mode === 'note'
            ? 'border-[color-mix(in_oklab,var(--warning)_45%,transparent)] bg-warning-muted'
            : 'border-edge',
        )}
      >
        <div className="flex min-h-11 items-center gap-2.5 border-b border-line px-2 pointer-coarse:py-1.5">
          <Segmented
            label="Write"
            size="tool"
            value={mode}
            onValueChange={change}
            options={[
              { value: 'reply', label: 'Reply' },
              { value: 'note', label: 'Note' },
            ]}
          />
          {mode === 'note' ? <span className="text-caption text-warning-text">Only your team sees this</span> : null}
          {mode === 'reply' && templates.isAsked && !isClosed ? (
            <button
              type="button"
              className="ml-auto px-1 text-dense text-brand-text underline underline-offset-2"
              onClick={() => onTemplates({ isAsked: false })}
            >
              Write a text
            </button>
          ) : null}
        </div>
        {mode === 'note' ? (
          <NoteComposer conversation={conversation} />
        ) : conversation.isBlocked ? (
          <Blocked onUnblock={props.onUnblock} />
        ) : isClosed || templates.isAsked ? (
          <TemplateStrip
            conversation={conversation}
            isClosed={isClosed}
            draft={templates.draft}
            onDraft={(draft) => onTemplates({ ...templates, draft })}
            onSent={() => onTemplates({ isAsked: false })}
          />
        ) : (
          <ReplyComposer {...props} />
        )}
      </div>
      <p role="status" className="sr-only">
        {announced}
      </p>
    </div>
  )
}

/** In place of the text field: nothing can be sent to a blocked person. */
function Blocked({ onUnblock }: { onUnblock: () => void }) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5 text-dense">
      <Ban aria-hidden className="size-4 text-muted-foreground" />
      <span className="min-w-0 flex-1 basis-48">This person is blocked. Unblock them to reply.</span>
      <Button size="sm" onClick={onUnblock}>
        Unblock
      </Button>
    </div>
  )
}
