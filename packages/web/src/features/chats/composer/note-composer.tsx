import type { Conversation } from '@carillon/contract/conversation-records'
import { useDeferredValue, useEffect, useId, useRef } from 'react'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AgentAvatar } from '../person-avatar.tsx'
import { changeDraft, useDraft } from '../state/chat-drafts.ts'
import { announceAccepted } from '../state/outbox.ts'
import { isSend, useSendKey } from './send-key.ts'
import { SuggestionList, useSuggestionKeys } from './suggestion-list.tsx'
import { useTextField } from './use-text-field.ts'

type Mention = { _id: string; name: string }

/** A note that only members see; @ mentions one of them. */
export function NoteComposer({ conversation: { chatId } }: { conversation: Conversation }) {
  const text = useDraft(chatId).note
  const setText = (note: string) => changeDraft(chatId, { note })
  const mentioned = useRef<Mention[]>([])
  const add = useApiWrite('conversations.note', {
    onSuccess(item) {
      announceAccepted({ chatId, item })
      mentioned.current = []
      setText('')
    },
    onError: ({ message }) => toast.error(message),
  })
  const isEmpty = text.trim() === ''
  function save() {
    if (isEmpty || add.isPending) return
    const mentions = mentioned.current.filter(({ name }) => text.includes(`@${name}`)).map(({ _id }) => _id)
    add.mutate({ path: { id: chatId }, body: { text: text.trim(), mentions: [...new Set(mentions)].slice(0, 20) } })
  }
  return (
    <div className="relative">
      <NoteField
        text={text}
        onText={setText}
        onSend={save}
        onMention={(mention) => {
          mentioned.current = [...mentioned.current, mention]
        }}
      />
      <div className="flex justify-end px-1.5 pt-1 pb-1.5">
        <Button
          variant="primary"
          size="sm"
          className="max-md:h-11"
          loading={add.isPending}
          aria-disabled={isEmpty}
          onClick={save}
        >
          Add note
        </Button>
      </div>
    </div>
  )
}

type NoteFieldProps = {
  text: string
  onText: (text: string) => void
  onSend: () => void
  onMention: (mention: Mention) => void
}

function NoteField({ text, onText, onSend, onMention }: NoteFieldProps) {
  const [sendKey] = useSendKey()
  const [field, editor] = useTextField(text, onText, '@')
  const { word } = editor
  const listId = useId()
  const found = useAgents(word?.query)
  function pick({ _id, name }: Mention) {
    onMention({ _id, name })
    editor.complete(`@${name} `)
  }
  const suggestions = useSuggestionKeys(found, pick, editor.close)
  useEffect(() => field.current?.focus(), [field])
  const isOpen = found.length > 0
  return (
    <>
      {isOpen ? (
        <SuggestionList
          id={listId}
          label="Agents"
          items={found}
          active={suggestions.active}
          keyOf={({ _id }) => _id}
          onPick={pick}
          onActive={suggestions.setActive}
          empty="No agents match"
        >
          {({ name, email }) => (
            <>
              <AgentAvatar name={name} />
              <span className="truncate">{name}</span>
              <span className="min-w-0 flex-1 truncate text-caption text-muted-foreground">{email}</span>
            </>
          )}
        </SuggestionList>
      ) : null}
      <textarea
        ref={field}
        dir="auto"
        rows={3}
        maxLength={4000}
        aria-label="Note"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${suggestions.active}` : undefined}
        placeholder="Write a note, @ to mention a colleague"
        value={text}
        onChange={({ target }) => editor.change(target.value)}
        onSelect={editor.track}
        onKeyDown={(event) => {
          if (isOpen && suggestions.onKey(event)) return
          if (!isSend(event, sendKey)) return
          event.preventDefault()
          onSend()
        }}
        className="message-text block field-sizing-content max-h-52 min-h-20 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-2 leading-[22px] tracking-normal text-warning-text outline-none! placeholder:text-warning-text max-md:px-3 max-md:text-base"
      />
    </>
  )
}

/** Agents whose name begins a mention; none without one. */
function useAgents(query: string | undefined) {
  const searchTerm = useDeferredValue(query?.trim() ?? '')
  const isOpen = query !== undefined
  const agents = useApi('agents.search', { query: { searchTerm } }, { enabled: isOpen, keepPrevious: true })
  return isOpen ? (agents.data?.agents ?? []).slice(0, 8) : []
}
