import { useSyncExternalStore } from 'react'
import { readFormDraft, saveFormDraft } from '../../../lib/form-drafts.ts'
import { currentUser } from '../../../lib/session.ts'

/** What was typed in a conversation and not sent. */
export type ChatDraft = { reply: string; note: string }

type Kept = { drafts: Record<string, ChatDraft & { at: number }> }

const name = 'chats'
const maximum = 200
const saveAfterMs = 300
const nothing: ChatDraft = { reply: '', note: '' }

let drafts: Kept['drafts'] = {}
let owner: string | undefined
/** Conversations whose draft was changed in this tab; the others are kept as another tab stored them. */
const touched = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function all(): Kept['drafts'] {
  const username = currentUser()?.username
  if (owner === username) return drafts
  owner = username
  touched.clear()
  drafts = stored()
  return drafts
}

function stored(): Kept['drafts'] {
  return readFormDraft<Kept>(name, { drafts: {} })?.form.drafts ?? {}
}

export function draftOf(chatId: string): ChatDraft {
  return all()[chatId] ?? nothing
}

export function changeDraft(chatId: string, patch: Partial<ChatDraft>) {
  const next = { ...draftOf(chatId), ...patch, at: Date.now() }
  const { [chatId]: _, ...others } = all()
  touched.add(chatId)
  drafts = next.reply.trim() === '' && next.note.trim() === '' ? others : { ...others, [chatId]: next }
  for (const listener of listeners) listener()
  clearTimeout(timer)
  timer = setTimeout(save, saveAfterMs)
}

/** The draft of a conversation; rows without one are not drawn again when another changes. */
export function useDraft(chatId: string): ChatDraft {
  return useSyncExternalStore(listen, () => draftOf(chatId))
}

function save() {
  clearTimeout(timer)
  if (touched.size === 0) return
  const others = Object.entries(stored()).filter(([chatId]) => !touched.has(chatId))
  const newest = [...Object.entries(all()).filter(([chatId]) => touched.has(chatId)), ...others]
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, maximum)
  saveFormDraft(name, { form: { drafts: Object.fromEntries(newest) }, savedAt: Date.now(), base: '' }, 'browser')
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

if (typeof window !== 'undefined') window.addEventListener('pagehide', save)
