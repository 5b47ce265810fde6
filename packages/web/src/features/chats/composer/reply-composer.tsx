import type { Conversation, MessageBody, ReplyContent } from '@carillon/contract/conversation-records'
import { Paperclip, Reply, SquareSlash, X } from 'lucide-react'
import { useEffect, useId, type ClipboardEvent, type DragEvent } from 'react'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { IconButton } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { typeNames } from '../chat-labels.ts'
import { personName, shortName } from '../person-name.ts'
import { findCanned } from '../state/canned-variables.ts'
import { changeDraft, draftOf, useDraft } from '../state/chat-drafts.ts'
import { onRefused, sendReply } from '../state/outbox.ts'
import { Attachment, useAttachment, type Attached } from './attachment.tsx'
import { CannedOption, useCanned } from './canned.tsx'
import type { ReplyTarget } from './composer-types.ts'
import { EmojiButton } from './emoji-button.tsx'
import { ReplyCost } from './reply-cost.tsx'
import { SendButton } from './send-button.tsx'
import { isSend, useSendKey } from './send-key.ts'
import { SuggestionList, useSuggestionKeys } from './suggestion-list.tsx'
import { useTextField } from './use-text-field.ts'

type ReplyComposerProps = {
  conversation: Conversation
  replyTo: ReplyTarget | undefined
  onReplyTo: (target: ReplyTarget | undefined) => void
  onTyping: () => void
}

/** Text with canned replies, a file, and what it replies to. */
export function ReplyComposer(props: ReplyComposerProps) {
  const { conversation, replyTo, onReplyTo } = props
  const attachment = useAttachment(conversation.chatId)
  const { text, setText, content, isReady, send } = useReply(props, attachment)
  const [field, editor] = useTextField(text, setText, '/')
  useReturnedText(conversation.chatId)
  useHotkeys({ KeyR: () => field.current?.focus() })
  useEffect(() => {
    if (replyTo) field.current?.focus()
  }, [replyTo, field])

  return (
    <div {...dropOf(attachment.add)} className="relative">
      {replyTo ? (
        <ReplyChip target={replyTo} name={personName(conversation)} onClear={() => onReplyTo(undefined)} />
      ) : null}
      <ReplyField {...props} text={text} fieldRef={field} editor={editor} onFile={attachment.add} onSend={send} />
      <Attachment attachment={attachment} />
      <div className="flex items-center gap-0.5 px-1.5 pt-1 pb-1.5 max-md:[&>button]:size-11">
        <IconButton
          label="Canned replies"
          keys={['/']}
          size="sm"
          onClick={() => editor.insert(text === '' || /\s$/.test(text) ? '/' : ' /')}
        >
          <SquareSlash aria-hidden />
        </IconButton>
        <IconButton label="Attach a file" size="sm" onClick={attachment.choose}>
          <Paperclip aria-hidden />
        </IconButton>
        <EmojiButton onPick={editor.insert} />
        <ReplyCost conversation={conversation} text={text} />
        <span className="ml-auto" />
        <SendButton
          conversation={conversation}
          content={content}
          disabled={!isReady}
          onSend={send}
          onScheduled={() => {
            setText('')
            attachment.clear()
          }}
        />
      </div>
    </div>
  )
}

/** The reply as it is written, and how it is sent. */
function useReply(
  { conversation, replyTo, onReplyTo }: ReplyComposerProps,
  attachment: ReturnType<typeof useAttachment>,
) {
  const { chatId } = conversation
  const text = useDraft(chatId).reply
  const setText = (reply: string) => changeDraft(chatId, { reply })
  const content = contentOf(text, attachment.file)
  const isReady = content !== undefined && !attachment.isBusy

  function send() {
    if (!content || !isReady) return
    sendReply({
      chatId,
      content,
      body: bodyOf(text, attachment.file),
      ...(replyTo ? { inReplyTo: replyTo.id, quoted: replyTo.body.text || typeNames[replyTo.body.type] } : {}),
    })
    setText('')
    attachment.clear()
    onReplyTo(undefined)
  }
  return { text, setText, content, isReady, send }
}

type Field = ReturnType<typeof useTextField>

type ReplyFieldProps = ReplyComposerProps & {
  text: string
  fieldRef: Field[0]
  editor: Field[1]
  onFile: (file: File) => void
  onSend: () => void
}

function ReplyField({ conversation, text, fieldRef, editor, onFile, onSend, onTyping }: ReplyFieldProps) {
  const name = personName(conversation)
  const [sendKey] = useSendKey()
  const canned = useCanned(conversation)
  const listId = useId()
  const { word } = editor
  const found = word ? findCanned(canned.replies, word.query).slice(0, 20) : []
  const suggestions = useSuggestionKeys(found, (reply) => editor.complete(canned.fill(reply.text)), editor.close)
  return (
    <>
      {word ? (
        <SuggestionList
          id={listId}
          label="Canned replies"
          items={found}
          active={suggestions.active}
          keyOf={({ id }) => id}
          onPick={(reply) => editor.complete(canned.fill(reply.text))}
          onActive={suggestions.setActive}
          empty={canned.emptyText}
        >
          {(reply) => <CannedOption reply={reply} preview={canned.fill(reply.text)} />}
        </SuggestionList>
      ) : null}
      <textarea
        ref={fieldRef}
        dir="auto"
        rows={3}
        maxLength={4096}
        aria-label={`Reply to ${name}`}
        aria-controls={found.length > 0 ? listId : undefined}
        aria-activedescendant={found.length > 0 ? `${listId}-${suggestions.active}` : undefined}
        placeholder={`Reply to ${shortName(name)}, / for canned replies`}
        value={text}
        onChange={({ target }) => {
          editor.change(target.value)
          onTyping()
        }}
        onSelect={editor.track}
        onPaste={(event) => pasteFile(event, onFile)}
        onKeyDown={(event) => {
          if (word && suggestions.onKey(event)) return
          if (!isSend(event, sendKey)) return
          event.preventDefault()
          onSend()
        }}
        className="message-text block field-sizing-content max-h-52 min-h-20 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-2 leading-[22px] tracking-normal outline-none! max-md:min-h-14 max-md:px-3 max-md:text-base"
      />
    </>
  )
}

function contentOf(text: string, file: Attached | undefined): ReplyContent | undefined {
  const written = text.trim()
  if (file) return { type: 'media', fileId: file._id, caption: written.slice(0, 1024) }
  return written === '' ? undefined : { type: 'text', text: written }
}

function bodyOf(text: string, file: Attached | undefined): MessageBody {
  const written = text.trim()
  if (!file) return { type: 'text', text: written }
  const { mimeType, name, sizeBytes } = file
  return { type: mediaType(mimeType), text: written, media: { state: 'waiting', mimeType, name, sizeBytes } }
}

function mediaType(mimeType: string): MessageBody['type'] {
  const kind = mimeType.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document'
}

/** The text of a reply that was refused because the window had closed is a draft again. */
function useReturnedText(chatId: string) {
  useEffect(
    () =>
      onRefused(({ entry, error }) => {
        if (entry.chatId !== chatId || error.code !== 'outside_window') return
        const { text } = entry.body
        const { reply } = draftOf(chatId)
        if (text !== '') changeDraft(chatId, { reply: reply.trim() === '' ? text : `${text}\n${reply}` })
        toast.error(error.message)
      }),
    [chatId],
  )
}

type ReplyChipProps = { target: ReplyTarget; name: string; onClear: () => void }

function ReplyChip({ target, name, onClear }: ReplyChipProps) {
  const { body, kind } = target
  return (
    <div className="mx-3 mt-2.5 flex items-center gap-2 rounded-sm border-l-2 border-brand bg-secondary py-1 pr-1 pl-2">
      <Reply aria-hidden className="size-3.5 text-muted-foreground" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-caption font-medium text-brand-text">
          Reply to {kind === 'inbound' ? <bdi>{name}</bdi> : 'your team'}
        </span>
        <span dir="auto" className="message-text block truncate text-dense text-muted-foreground">
          {body.text || typeNames[body.type]}
        </span>
      </span>
      <IconButton label="Do not reply to this message" size="tool" onClick={onClear}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

function pasteFile(event: ClipboardEvent, add: (file: File) => void) {
  const [file] = event.clipboardData.files
  if (!file) return
  event.preventDefault()
  add(file)
}

function dropOf(add: (file: File) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files
      if (!file) return
      event.preventDefault()
      add(file)
    },
  }
}
