import { useRef, type ReactNode } from 'react'
import { replaceOffenders } from '../../lib/sms-fix.ts'
import { Field } from '../../ui/field.tsx'
import { PartRuler } from '../../ui/part-ruler.tsx'
import { SmsTextarea } from '../../ui/sms-textarea.tsx'
import { insertAt, InsertVariable } from './insert-variable.tsx'

type SmsEditorProps = {
  body: string
  onBodyChange: (body: string) => void
  /** The message with its samples, which the ruler measures. */
  filled: string
  pricePerPart: number | null | undefined
  error?: string | undefined
  /** Under the frame: the longest case, in words. */
  under: ReactNode
}

/** The text of a template as it stands at the DLT portal, with the part ruler inside its frame. */
export function SmsEditor({ body, onBodyChange, filled, pricePerPart, error, under }: SmsEditorProps) {
  const field = useRef<HTMLTextAreaElement | null>(null)

  function insert(tag: string) {
    const element = field.current
    const start = element?.selectionStart ?? body.length
    const { text, caret } = insertAt(body, tag, { start, end: element?.selectionEnd ?? start })
    onBodyChange(text)
    // The menu gives the focus back to its button first.
    setTimeout(() => {
      element?.focus()
      element?.setSelectionRange(caret, caret)
    })
  }

  return (
    <Field
      label="Text"
      hint={<span className="max-md:hidden">Must match the DLT portal exactly</span>}
      aside={<InsertVariable onInsert={insert} />}
      error={error}
      help={under}
    >
      <SmsTextarea
        value={body}
        onValueChange={onBodyChange}
        maxLength={1600}
        spellCheck={false}
        placeholder="Dear {#var#}, your order {#var#} ships today. -Acme"
        inputRef={(element) => {
          field.current = element
        }}
      >
        {body === '' ? null : (
          <PartRuler text={filled} pricePerPart={pricePerPart} onFix={() => onBodyChange(replaceOffenders(body))} />
        )}
      </SmsTextarea>
    </Field>
  )
}
