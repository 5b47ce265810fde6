import { useSyncExternalStore, type KeyboardEvent } from 'react'

export type SendKey = 'enter' | 'mod-enter'

const key = 'carillon.chats.send-key'
const listeners = new Set<() => void>()

function current(): SendKey {
  try {
    return localStorage.getItem(key) === 'mod-enter' ? 'mod-enter' : 'enter'
  } catch {
    return 'enter'
  }
}

/** The key that sends, kept in this browser. */
export function useSendKey(): [SendKey, (value: SendKey) => void] {
  const value = useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, current)
  return [
    value,
    (next) => {
      try {
        localStorage.setItem(key, next)
      } catch {
        // Without storage Enter sends.
      }
      for (const listener of listeners) listener()
    },
  ]
}

/** Whether a key press sends. Shift+Enter and keys of an input method never do. */
export function isSend(event: KeyboardEvent, sendKey: SendKey): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return false
  const hasMod = event.ctrlKey || event.metaKey
  return sendKey === 'enter' || hasMod
}
