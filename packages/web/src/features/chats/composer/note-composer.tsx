import type { Conversation } from '@carillon/contract/conversation-records'
import { useDeferredValue, useEffect, useId, useRef } from 'react'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AgentAvatar } from '../person-avatar.tsx'
import { announceAccepted } from '../state/outbox.ts'
import { changeDraft, useDraft } from '../state/chat-drafts.ts'
import { isSend, useSendKey } from './send-key.ts'
import { SuggestionList, useSuggestionKeys } from './suggestion-list.tsx'
import { useTextField } from './use-text-field.ts'

type Mention = { _id: string; name: string }

/** A note that only members see; @ mentions one of them. */
export function NoteComposer({ conversation }: { conversation: Conversation }) {
  const { chatId } = conversation
  const text = useDraft(chatId).note
  const setText = (note: string) => changeDraft(chatId, { note })
  const [sendKey] = useSendKey()
  const mentioned = useRef<Mention[]>([])
  const editor = useTextField(text, setText, '@')
  const listId = useId()
  const searchTerm = useDeferredValue(editor.word?.query.trim() ?? '')
  const agents = useApi(
    'agents.search',
    { query: { searchTerm } },
    { enabled: editor.word !== undefined, keepPrevious: true },
  )
  const found = editor.word ? (agents.data?.agents ?? []).slice(0, 8) : []
  function pick(agent: Mention) {
    mentioned.current = [...mentioned.current, { _id: agent._id, name: agent.name }]
    editor.complete(`@${agent.name} `)
  }
  const suggestions = useSuggestionKeys(found, pick, editor.close)
  const add = useApiWrite('conversations.note', {
    onSuccess(item) {
      announceAccepted({ chatId, item })
      mentioned.current = []
      setText('')
    },
    onError: ({ message }) => toast.error(message),
  })
  useEffect(() => editor.field.current?.focus(), [editor.field])

  const isEmpty = text.trim() === ''
  function save() {
    if (isEmpty || add.isPending) return
    const mentions = mentioned.current.filter(({ name }) => text.includes(`@${name}`)).map(({ _id }) => _id)
    add.mutate({ path: { id: chatId }, body: { text: text.trim(), mentions: [...new Set(mentions)].slice(0, 20) } })
  }
  return (
    <div className="relative">
      {editor.word && found.length > 0 ? (
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
        ref={editor.field}
        dir="auto"
        rows={3}
        maxLength={4000}
        aria-label="Note"
        aria-controls={editor.word ? listId : undefined}
        aria-activedescendant={editor.word && found.length > 0 ? `${listId}-${suggestions.active}` : undefined}
        placeholder="Write a note, @ to mention a colleague"
        value={text}
        onChange={({ target }) => editor.change(target.value)}
        onSelect={editor.track}
        onKeyDown={(event) => {
          if (editor.word && found.length > 0 && suggestions.onKey(event)) return
          if (!isSend(event, sendKey)) return
          event.preventDefault()
          save()
        }}
        className="message-text block field-sizing-content max-h-52 min-h-20 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-2 leading-[22px] tracking-normal text-warning-text outline-none! placeholder:text-warning-text max-md:px-3 max-md:text-base"
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
