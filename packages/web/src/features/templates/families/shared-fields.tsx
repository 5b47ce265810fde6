import { Braces } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input, Textarea } from '../../../ui/input.tsx'
import type { FamilyForm } from './family-form.ts'
import { texts } from './texts.ts'

type SharedFieldsProps = {
  form: FamilyForm
  errors: Record<string, string>
  onChange: (patch: Partial<FamilyForm>) => void
}

const mostCharacters = 1600
const exampleVariable = 'first_name'

/** The family's name and the text that channels share. */
export function SharedFields({ form: { name, text }, errors, onChange }: SharedFieldsProps) {
  const place = useRef<HTMLDivElement>(null)

  /** Inserts a variable at the caret and selects its name. */
  function insert() {
    const field = place.current?.querySelector('textarea')
    const [start, end] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length]
    onChange({ text: `${text.slice(0, start)}{{${exampleVariable}}}${text.slice(end)}` })
    setTimeout(() => {
      field?.focus()
      field?.setSelectionRange(start + 2, start + 2 + exampleVariable.length)
    })
  }

  return (
    <>
      <Field label="Name" error={errors['name']}>
        <Input
          value={name}
          maxLength={80}
          placeholder="Order shipped"
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <div ref={place} className="flex flex-col items-start gap-2">
        <Field
          className="w-full"
          label="Shared text"
          hint="(optional)"
          aside={`${text.length}/${mostCharacters}`}
          help={texts.textHelp}
          error={errors['text']}
        >
          <Textarea
            rows={7}
            value={text}
            maxLength={mostCharacters}
            onChange={(event) => onChange({ text: event.target.value })}
          />
        </Field>
        <Button size="tool" variant="ghost" onClick={insert}>
          <Braces aria-hidden /> Insert variable
        </Button>
      </div>
    </>
  )
}
