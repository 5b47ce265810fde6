import type { ReactNode } from 'react'
import { replaceOffenders } from './sms-fix.ts'
import { Field } from '../../ui/field.tsx'
import { PartRuler } from './part-ruler.tsx'
import { SmsTextarea } from './sms-textarea.tsx'
import { useCaret } from '../../ui/use-caret.ts'
import { InsertVariable } from './insert-variable.tsx'

type SmsEditorProps = {
  body: string
  onBodyChange: (body: string) => void
  /** The message with its samples, which the ruler measures. */
  filled: string
  pricePerPart: number | null | undefined
  error?: string | undefined
  /** Below the frame: the longest case as text. */
  under: ReactNode
}

/** The text of an SMS template, with the part ruler inside its frame. */
export function SmsEditor({ body, onBodyChange, filled, pricePerPart, error, under }: SmsEditorProps) {
  const { inputRef, insert } = useCaret(body, onBodyChange)
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
        inputRef={inputRef}
      >
        {body === '' ? null : (
          <PartRuler text={filled} pricePerPart={pricePerPart} onFix={() => onBodyChange(replaceOffenders(body))} />
        )}
      </SmsTextarea>
    </Field>
  )
}
