import type { Conversation, LineTemplate } from '@carillon/contract/conversation-records'
import { ChevronLeft } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { channelChats } from '../../../channels/chats.ts'
import { MiniPhone } from '../../../channels/phone/mini-phone.tsx'
import { useIsMobile } from '../../../lib/use-is-mobile.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormRefusal } from '../../../ui/form-refusal.tsx'
import { useFirstFieldFocus } from '../../../ui/first-focus.ts'
import { Input } from '../../../ui/input.tsx'
import { shortName } from '../person-name.ts'

type TemplateFormProps = {
  conversation: Pick<Conversation, 'channel' | 'name' | 'line'>
  template: LineTemplate
  /** Those that were entered before. */
  values?: Record<string, string>
  /** Why it could not be sent. */
  error?: string | undefined
  action?: string
  loading?: boolean
  onSend: (values: Record<string, string>) => void
  onBack: () => void
}

/** The variables of a template beside the person's phone. */
export function TemplateForm(props: TemplateFormProps) {
  const { conversation, template, action = 'Send template', loading = false, error, onSend, onBack } = props
  const { traits, name, values: names } = template
  const [values, setValues] = useState(() => ({ ...firstValues(names, conversation.name), ...props.values }))
  const [isChecked, setChecked] = useState(false)
  const form = useFirstFieldFocus()
  const isMobile = useIsMobile()
  const chat = channelChats[conversation.channel]
  const missing = names.filter((variable) => !values[variable]?.trim())

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    const [first] = missing
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus()
    else onSend(Object.fromEntries(names.map((variable) => [variable, values[variable]?.trim() ?? ''])))
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex gap-4 p-3">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <p className="flex items-center gap-1">
          <IconButton label="Choose another template" size="tool" onClick={onBack}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <b className="min-w-0 truncate">{name}</b>
          <span className="text-caption text-muted-foreground">{template.language}</span>
        </p>
        <FormRefusal text={error} />
        {names.map((variable) => (
          <Field
            key={variable}
            label={valueLabel(variable)}
            error={isChecked && !values[variable]?.trim() ? 'Enter a value' : undefined}
          >
            <Input
              size="sm"
              name={variable}
              maxLength={1000}
              value={values[variable] ?? ''}
              onChange={({ target }) => setValues({ ...values, [variable]: target.value })}
            />
          </Field>
        ))}
        <span className="sticky bottom-0 mt-auto -mb-3 flex justify-end bg-card py-3">
          <Button type="submit" variant="primary" size="sm" className="max-md:h-11" loading={loading}>
            {action}
          </Button>
        </span>
      </div>
      {chat && !isMobile ? (
        <figure aria-label="Preview of the message on the customer’s phone" className="m-0 shrink-0">
          <MiniPhone scale={0.45} message={chat.messageOf({ sender: conversation.line.name, traits, values })} />
        </figure>
      ) : null}
    </form>
  )
}

/** A variable that asks for the name begins with the person's. */
function firstValues(variables: readonly string[], name: string): Record<string, string> {
  return Object.fromEntries(
    variables.map((variable) => [
      variable,
      /^(?:first_?)?name$/i.test(variable) && /^\p{L}/u.test(name) ? shortName(name) : '',
    ]),
  )
}

const partNames: Record<string, string> = {
  'header.text': 'Header',
  'header.media': 'Address of the header’s file',
  'header.latitude': 'Latitude',
  'header.longitude': 'Longitude',
}

function valueLabel(name: string): string {
  if (/^\d+$/.test(name)) return `Variable ${name}`
  const button = /^button\.(\d+)$/.exec(name)
  return partNames[name] ?? (button ? `Value of button ${button[1]}` : name)
}
