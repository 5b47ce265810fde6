import type { Conversation, LineTemplate, MessageBody } from '@carillon/contract/conversation-records'
import { LayoutTemplate, Lock, StickyNote } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Input } from '../../../ui/input.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { changeDraft, useDraft } from '../state/chat-drafts.ts'
import { announceAccepted, sendReply } from '../state/outbox.ts'
import { keepTemplate, type TemplateDraft } from '../state/template-drafts.ts'
import { TemplateForm } from './template-form.tsx'

type TemplateStripProps = {
  conversation: Conversation
  isClosed: boolean
  /** The chosen template. */
  draft: TemplateDraft | undefined
  onDraft: (draft: TemplateDraft | undefined) => void
  onSent: () => void
}

/** What the composer becomes when the window is closed: the templates that can restart it. */
export function TemplateStrip({ conversation, isClosed, draft, onDraft, onSent }: TemplateStripProps) {
  const { chatId } = conversation
  function send(values: Record<string, string>) {
    if (!draft) return
    const { template } = draft
    const clientId = sendReply({
      chatId,
      content: { type: 'template', templateId: template._id, values },
      body: templateBody(template, values),
    })
    keepTemplate(clientId, { template, values })
    onDraft(undefined)
    onSent()
  }
  return (
    <section aria-label="Templates" className="flex max-h-[min(56dvh,460px)] flex-col overflow-y-auto">
      {isClosed ? (
        <p role="status" className="flex items-start gap-2 px-3.5 pt-2.5 text-dense">
          <Lock aria-hidden className="mt-0.5 size-3.5 text-muted-foreground" />
          <span>24-hour window closed. Only approved templates can restart it.</span>
        </p>
      ) : null}
      {draft ? (
        <TemplateForm
          key={`${draft.template._id} ${draft.error ?? ''}`}
          conversation={conversation}
          {...draft}
          onSend={send}
          onBack={() => onDraft(undefined)}
        />
      ) : (
        <TemplateChoice lineId={conversation.line._id} onChoose={(template) => onDraft({ template })} />
      )}
      {isClosed ? <KeptText chatId={chatId} /> : null}
    </section>
  )
}

type TemplateChoiceProps = { lineId: string; onChoose: (template: LineTemplate) => void }

/** The templates that are used most, and a search for all others. */
export function TemplateChoice({ lineId, onChoose }: TemplateChoiceProps) {
  const [isSearching, setSearching] = useState(false)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const templates = useApi(
    'conversations.templates',
    { path: { id: lineId }, query: { limit: isSearching ? 20 : 4, ...(search ? { search } : {}) } },
    { keepPrevious: true, staleTime: 60_000 },
  )
  if (!templates.data) {
    if (templates.error) return <Failure error={templates.error} onRetry={() => void templates.refetch()} />
    return <TemplatesLoading />
  }
  const all = templates.data.templates
  if (all.length === 0 && !isSearching) return <NoTemplates />
  const shown = isSearching ? all : all.slice(0, 3)
  return (
    <div className="flex flex-col gap-2 p-3">
      {isSearching ? (
        <Input
          size="sm"
          autoFocus
          aria-label="Search templates"
          placeholder="Search templates"
          maxLength={80}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      ) : null}
      <ul
        aria-label="Templates"
        className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-2 max-md:grid-cols-1"
      >
        {shown.map((template) => (
          <li key={template._id}>
            <TemplateCard template={template} onChoose={() => onChoose(template)} />
          </li>
        ))}
      </ul>
      {shown.length === 0 ? (
        <p className="py-2 text-center text-dense text-muted-foreground">No templates match</p>
      ) : null}
      {shown.length < all.length ? (
        <Button size="tool" variant="ghost" className="self-start" onClick={() => setSearching(true)}>
          <LayoutTemplate aria-hidden /> Choose another
        </Button>
      ) : null}
    </div>
  )
}

function NoTemplates() {
  return (
    <p className="px-3.5 py-3 text-dense text-muted-foreground">
      No approved template of this line.{' '}
      <AreaLink to="manage-templates" className={linkClass}>
        Open templates
      </AreaLink>
    </p>
  )
}

function TemplatesLoading() {
  return (
    <Loading label="Loading templates">
      <div className="grid grid-cols-3 gap-2 p-3 max-md:grid-cols-1">
        {Array.from({ length: 3 }, (_, index) => (
          <Skeleton key={index} className="h-18 w-full" />
        ))}
      </div>
    </Loading>
  )
}

function TemplateCard({ template, onChoose }: { template: LineTemplate; onChoose: () => void }) {
  const { name, language, traits } = template
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex h-full w-full flex-col gap-0.5 rounded-md border border-edge bg-card px-2.5 py-2 text-left hover:bg-accent"
    >
      <span className="flex w-full items-baseline gap-1.5">
        <b className="min-w-0 flex-1 truncate text-dense">{name}</b>
        <span className="text-caption text-muted-foreground">{language}</span>
      </span>
      <span
        dir="auto"
        className="message-text line-clamp-2 text-caption text-muted-foreground [overflow-wrap:anywhere]"
      >
        {traits.text}
      </span>
    </button>
  )
}

/** What was typed before the window closed. */
function KeptText({ chatId }: { chatId: string }) {
  const { reply } = useDraft(chatId)
  const note = useApiWrite('conversations.note', {
    onSuccess(item) {
      announceAccepted({ chatId, item })
      changeDraft(chatId, { reply: '' })
    },
    onError: ({ message }) => toast.error(message),
  })
  if (reply.trim() === '') return null
  return (
    <div className="flex items-center gap-2 border-t border-line px-3.5 py-2 text-dense">
      <span className="shrink-0 text-danger-text">Draft</span>
      <span dir="auto" className="message-text min-w-0 flex-1 truncate text-muted-foreground">
        {reply}
      </span>
      <Button
        size="tool"
        loading={note.isPending}
        onClick={() => note.mutate({ path: { id: chatId }, body: { text: reply.trim().slice(0, 4000) } })}
      >
        <StickyNote aria-hidden /> Save as note
      </Button>
    </div>
  )
}

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g

function templateBody({ traits }: LineTemplate, values: Record<string, string>): MessageBody {
  const fill = (text: string) => text.replace(variable, (whole, name: string) => values[name] || whole)
  return {
    type: 'template',
    text: fill(traits.text),
    ...(traits.heading ? { header: fill(traits.heading) } : {}),
    ...(traits.footer ? { footer: traits.footer } : {}),
    ...(traits.buttons.length > 0 ? { buttons: traits.buttons.map(({ kind, text }) => ({ kind, text })) } : {}),
  }
}
