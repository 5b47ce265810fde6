import { useLayoutEffect, useRef, useState } from 'react'
import { insertText } from '../../../ui/use-caret.ts'
import { wordAt } from '../state/canned-variables.ts'

/** A text area whose word at the caret may open a list of suggestions. */
export function useTextField(text: string, onText: (text: string) => void, sign: '/' | '@') {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  /** The beginning of a word whose suggestions were closed. */
  const [closedAt, setClosedAt] = useState<number>()
  const word = wordAt(text, caret, sign)
  const open = word && word.from !== closedAt ? word : undefined

  /** Where the caret goes once the new text is in the field, before the next key is handled. */
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    const at = next.current
    if (at === undefined) return
    next.current = undefined
    field.current?.focus()
    field.current?.setSelectionRange(at, at)
  })

  function place(at: number) {
    next.current = at
    setCaret(at)
  }
  const editor = {
    word: open,
    close: () => setClosedAt(word?.from),
    /** Also on selection, since the caret moves without a change of the text. */
    track() {
      setCaret(field.current?.selectionStart ?? 0)
    },
    change(value: string) {
      onText(value)
      setCaret(field.current?.selectionStart ?? value.length)
      if (
        closedAt !== undefined &&
        wordAt(value, field.current?.selectionStart ?? value.length, sign)?.from !== closedAt
      )
        setClosedAt(undefined)
    },
    /** Replaces the word at the caret. */
    complete(replacement: string) {
      if (!word) return
      onText(text.slice(0, word.from) + replacement + text.slice(caret))
      place(word.from + replacement.length)
    },
    insert(inserted: string) {
      const start = field.current?.selectionStart ?? text.length
      const edited = insertText(text, inserted, { start, end: field.current?.selectionEnd ?? start })
      onText(edited.text)
      place(edited.selection.start)
    },
  }
  return [field, editor] as const
}
