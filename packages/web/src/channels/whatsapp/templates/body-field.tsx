import { Bold, Braces, Code, Italic, Smile, Strikethrough, WandSparkles } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { nextVariable, toggleSigns, type ParameterFormat } from '../body-editing.ts'
import { WhatsappTextarea } from '../whatsapp-textarea.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { useCaret } from '../../../ui/use-caret.ts'

type BodyFieldProps = {
  body: string
  format: ParameterFormat
  error: string | undefined
  label: string
  /** The path of the body in the template. */
  at: string
  /** Turns a plain sentence into a template; absent if the sentence contains nothing personal. */
  onMake?: (() => void) | undefined
  onChange: (body: string) => void
}

/** The text with its tools: formatting, variables, emoji. */
export function BodyField({ body, format, error, label, at, onMake, onChange }: BodyFieldProps) {
  const { inputRef, edit, insert } = useCaret(body, onChange)
  const wrap = (sign: string) => edit((selection) => toggleSigns(body, sign, selection))

  function onKeyDown(event: KeyboardEvent) {
    const sign = event.ctrlKey || event.metaKey ? signOfKey[event.code] : undefined
    if (!sign) return
    event.preventDefault()
    // Ctrl B collapses the sidebar on other screens.
    event.stopPropagation()
    wrap(sign)
  }

  return (
    <div data-field={at}>
      <Field label={label} labelHidden="always" error={error}>
        <WhatsappTextarea
          value={body}
          format={format}
          onValueChange={onChange}
          onKeyDown={onKeyDown}
          placeholder={
            format === 'positional' ? 'Hi {{1}}, your order ships today.' : 'Hi {{first_name}}, your order ships today.'
          }
          inputRef={inputRef}
          tools={
            <Tools
              onWrap={wrap}
              onInsert={insert}
              onVariable={() => insert(`{{${nextVariable(body, format)}}}`)}
              onMake={onMake}
            />
          }
        />
      </Field>
    </div>
  )
}

const signOfKey: Record<string, string> = { KeyB: '*', KeyI: '_' }

const formats = [
  { sign: '*', label: 'Bold', icon: Bold, keys: ['Mod', 'B'] },
  { sign: '_', label: 'Italic', icon: Italic, keys: ['Mod', 'I'] },
  { sign: '~', label: 'Strikethrough', icon: Strikethrough, keys: [] },
  { sign: '```', label: 'Monospace', icon: Code, keys: [] },
] as const

type ToolsProps = {
  onWrap: (sign: string) => void
  onInsert: (text: string) => void
  onVariable: () => void
  onMake: (() => void) | undefined
}

function Tools({ onWrap, onInsert, onVariable, onMake }: ToolsProps) {
  return (
    <div
      role="group"
      aria-label="Formatting"
      className="flex min-h-10 flex-wrap items-center gap-0.5 border-b border-line px-1.5 py-1"
    >
      {formats.map(({ sign, label, icon: Icon, keys }) => (
        <IconButton
          key={sign}
          label={label}
          size="tool"
          onClick={() => onWrap(sign)}
          {...(keys.length > 0 ? { keys } : {})}
        >
          <Icon aria-hidden />
        </IconButton>
      ))}
      <span aria-hidden className="mx-1.5 h-5 w-px bg-border" />
      <Button variant="ghost" size="tool" onClick={onVariable}>
        <Braces aria-hidden /> Variable
      </Button>
      <EmojiChoice onInsert={onInsert} />
      {onMake ? (
        <Button variant="ghost" size="tool" className="ml-auto" onClick={onMake}>
          <WandSparkles aria-hidden /> Make it a template
        </Button>
      ) : null}
    </div>
  )
}

const emoji = [
  '🎉',
  '🪔',
  '🎁',
  '🛍️',
  '🚚',
  '📦',
  '✅',
  '⏰',
  '📅',
  '📍',
  '📞',
  '💳',
  '🧾',
  '⭐',
  '❤️',
  '🙏',
  '👋',
  '😊',
  '🔥',
  '💡',
  '🏷️',
  '🎂',
  '🌟',
  '👉',
]

function EmojiChoice({ onInsert }: { onInsert: (text: string) => void }) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Emoji"
      open={open}
      onOpenChange={setOpen}
      className="grid grid-cols-8 gap-0.5 p-2"
      trigger={
        <button
          type="button"
          aria-label="Emoji"
          className="inline-flex size-7 items-center justify-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground"
        >
          <Smile aria-hidden className="size-4" />
        </button>
      }
    >
      {emoji.map((sign) => (
        <button
          key={sign}
          type="button"
          className="grid size-8 place-items-center rounded-md text-section hover:bg-accent"
          onClick={() => {
            setOpen(false)
            onInsert(sign)
          }}
        >
          {sign}
        </button>
      ))}
    </Popover>
  )
}
