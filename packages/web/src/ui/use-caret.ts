import { useRef } from 'react'

export type Selection = { start: number; end: number }
export type Edited = { text: string; selection: Selection }

/** Edits a text at the caret of its field, for tools next to it. */
export function useCaret(text: string, onText: (text: string) => void) {
  const field = useRef<HTMLTextAreaElement | null>(null)

  function edit(change: (selection: Selection) => Edited) {
    const element = field.current
    const start = element?.selectionStart ?? text.length
    const { text: edited, selection } = change({ start, end: element?.selectionEnd ?? start })
    onText(edited)
    // A menu returns the focus to its button first.
    setTimeout(() => {
      element?.focus()
      element?.setSelectionRange(selection.start, selection.end)
    })
  }

  return {
    inputRef: (element: HTMLTextAreaElement | null) => {
      field.current = element
    },
    edit,
    insert: (inserted: string) => edit((selection) => insertText(text, inserted, selection)),
  }
}

/** Replaces the selection with a text and places the caret after it. */
export function insertText(text: string, inserted: string, { start, end }: Selection): Edited {
  const caret = start + inserted.length
  return { text: text.slice(0, start) + inserted + text.slice(end), selection: { start: caret, end: caret } }
}
