import { Braces } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { MarkedTextarea, marksOfPattern } from '../../../ui/marked-textarea.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useCaret } from '../../../ui/use-caret.ts'
import { Count } from '../../parts/templates/problems.tsx'

type TextFieldProps = {
  label: string
  hint?: ReactNode
  value: string
  /** Maximum length; longer texts are kept and reported. */
  most: number
  /** The path of the field in the template. */
  at: string
  problem: string | undefined
  placeholder: string
  /** A field of one line grows only if needed. */
  isShort?: boolean
  /** Names of the template's variables. */
  variables: readonly string[]
  onChange: (value: string) => void
  onFocus: () => void
  onBlur: () => void
}

/** A text that may contain variables, with a counter and a menu that inserts one. */
export function TextField(props: TextFieldProps) {
  const { label, hint, value, most, at, problem, placeholder, isShort, variables, onChange, onFocus, onBlur } = props
  const { inputRef, insert } = useCaret(value, onChange)
  return (
    <div data-field={at} onFocus={onFocus} onBlur={onBlur}>
      <Field
        label={label}
        hint={hint}
        aside={
          <span className="flex items-center gap-2">
            <Variables names={variables} field={label} onInsert={(name) => insert(`{{${name}}}`)} />
            <Count small text={value} most={most} />
          </span>
        }
        error={problem}
      >
        <MarkedTextarea
          rows={1}
          value={value}
          marks={marksOfPattern(value, /\{\{[^{}]*\}\}/g, 'variable')}
          looks={{ variable: 'rounded-sm bg-brand-muted shadow-[0_0_0_1px_var(--brand-muted)]' }}
          maxLength={most * 2}
          placeholder={placeholder}
          className={isShort ? 'min-h-0! py-1.5!' : 'min-h-24!'}
          inputRef={inputRef}
          onChange={(event) => onChange(isShort ? event.target.value.replaceAll('\n', ' ') : event.target.value)}
        />
      </Field>
    </div>
  )
}

const common = ['name', 'order', 'amount', 'date', 'code', 'link']

type VariablesProps = { names: readonly string[]; field: string; onInsert: (name: string) => void }

function Variables({ names, field, onInsert }: VariablesProps) {
  const items = [...names, ...common.filter((name) => !names.includes(name))]
  return (
    <Menu
      label={`Insert a variable into ${field.toLowerCase()}`}
      align="end"
      items={items.map((name) => ({ label: name, onSelect: () => onInsert(name) }))}
      trigger={
        <Button
          variant="ghost"
          size="tool"
          className="-my-1.5 text-muted-foreground"
          aria-label={`Variable in ${field}`}
        >
          <Braces aria-hidden /> Variable
        </Button>
      }
    />
  )
}
