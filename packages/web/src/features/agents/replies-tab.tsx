import type { CannedReply } from '@carillon/contract/inbox-settings'
import { MessageSquareQuote, Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Input } from '../../ui/input.tsx'
import { Region } from '../../ui/region.tsx'
import { toast } from '../../ui/toast.tsx'
import { ReplyDialog } from './reply-dialog.tsx'

type Action = { kind: 'create' } | { kind: 'edit' | 'delete'; reply: CannedReply }

/** Texts that members insert by a shortcut. */
export function RepliesTab() {
  const [action, setAction] = useState<Action>()
  const [typed, setTyped] = useState('')
  const replies = useApi('cannedReplies.list', {})
  const create = (variant: 'primary' | 'outline') => (
    <Button variant={variant} size="sm" onClick={() => setAction({ kind: 'create' })}>
      <Plus aria-hidden /> New canned reply
    </Button>
  )
  return (
    <div className="max-w-220 py-4 screen-x">
      <Region read={replies} label="canned replies" lines={5}>
        {({ cannedReplies }) =>
          cannedReplies.length === 0 ? (
            <Empty icon={MessageSquareQuote} title="Create your first canned reply" actions={create('outline')}>
              In a conversation, type / and its shortcut to insert the text.
            </Empty>
          ) : (
            <>
              <div className="flex flex-wrap items-center justify-between gap-3 pb-3">
                <Input
                  type="search"
                  size="sm"
                  className="md:max-w-70"
                  aria-label="Search canned replies"
                  placeholder="Search canned replies"
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                />
                {create('primary')}
              </div>
              <ReplyList replies={matching(cannedReplies, typed)} onAction={setAction} />
            </>
          )
        }
      </Region>
      {action?.kind === 'create' ? <ReplyDialog onClose={() => setAction(undefined)} /> : null}
      {action?.kind === 'edit' ? <ReplyDialog reply={action.reply} onClose={() => setAction(undefined)} /> : null}
      {action?.kind === 'delete' ? <DeleteReply reply={action.reply} onClose={() => setAction(undefined)} /> : null}
    </div>
  )
}

function matching(replies: readonly CannedReply[], typed: string): readonly CannedReply[] {
  const wanted = typed.trim().toLowerCase()
  return replies.filter(({ shortcut, text }) => `${shortcut}\n${text}`.toLowerCase().includes(wanted))
}

function ReplyList({ replies, onAction }: { replies: readonly CannedReply[]; onAction: (action: Action) => void }) {
  if (replies.length === 0) return <p className="py-6 text-center text-muted-foreground">No canned reply matches.</p>
  return (
    <ul className="divide-y divide-line border-y border-border">
      {replies.map((reply) => (
        <li key={reply.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <div className="min-w-0 flex-1 basis-60">
            <b className="font-mono text-dense font-medium tracking-normal break-words">/{reply.shortcut}</b>
            <p dir="auto" className="line-clamp-2 text-dense break-words whitespace-pre-line text-muted-foreground">
              {reply.text}
            </p>
          </div>
          <div className="flex gap-2">
            <Button size="sm" onClick={() => onAction({ kind: 'edit', reply })}>
              Edit<span className="sr-only"> {reply.shortcut}</span>
            </Button>
            <Button size="sm" variant="ghost" onClick={() => onAction({ kind: 'delete', reply })}>
              Delete<span className="sr-only"> {reply.shortcut}</span>
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function DeleteReply({ reply: { id, shortcut }, onClose }: { reply: CannedReply; onClose: () => void }) {
  const remove = useApiWrite('cannedReplies.delete', {
    refreshes: ['cannedReplies.list'],
    onSuccess() {
      onClose()
      toast.success(`/${shortcut} was deleted`)
    },
  })
  return (
    <DeleteDialog
      noun="canned reply"
      name={`/${shortcut}`}
      description="All members lose this shortcut. Messages already sent stay."
      remove={remove}
      onConfirm={() => remove.mutate({ path: { id } })}
      onClose={onClose}
    />
  )
}
