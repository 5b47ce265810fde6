import { botLimits } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import type { BotDraft, ContactDraft, ContactKind } from './bot-draft.ts'

const kinds = [
  { kind: 'phoneNumbers', label: 'Phone number', add: 'Add phone number', inputMode: 'tel', words: 'Customer service' },
  { kind: 'emails', label: 'Email address', add: 'Add email address', inputMode: 'email', words: 'Customer service' },
  { kind: 'websites', label: 'Website', add: 'Add website', inputMode: 'url', words: 'Website' },
] as const

type ContactFieldsProps = {
  draft: Pick<BotDraft, ContactKind>
  errors: Record<string, string>
  onChange: (patch: Partial<BotDraft>) => void
}

/** Numbers, addresses and links of a bot's page, up to three of each kind. */
export function ContactFields({ draft, errors, onChange }: ContactFieldsProps) {
  const isEmpty = kinds.every(({ kind }) => draft[kind].every(({ text }) => text.trim() === ''))
  const missing = isEmpty ? errors['contacts'] : undefined
  return kinds.map(({ kind, label, add, inputMode, words }) => {
    const contacts = draft[kind]
    const set = (next: readonly ContactDraft[]) => onChange({ [kind]: next })
    const change = (index: number, patch: Partial<ContactDraft>) =>
      set(contacts.map((one, at) => (at === index ? { ...one, ...patch } : one)))
    return (
      <div key={kind} className="flex flex-col gap-2">
        {contacts.map((contact, index) => (
          <div key={index} className="flex items-start gap-2">
            <Field
              label={index === 0 ? label : `${label} ${index + 1}`}
              hint={index === 0 ? '(optional)' : undefined}
              error={errors[`${kind}.${index}.text`] ?? (kind === 'phoneNumbers' && index === 0 ? missing : undefined)}
              className="flex-1"
            >
              <Input
                inputMode={inputMode}
                maxLength={300}
                value={contact.text}
                onChange={({ target }) => change(index, { text: target.value })}
              />
            </Field>
            <Field
              label={index === 0 ? 'Label' : `Label ${index + 1}`}
              error={errors[`${kind}.${index}.label`]}
              className="w-2/5"
            >
              <Input
                maxLength={25}
                value={contact.label}
                onChange={({ target }) => change(index, { label: target.value })}
              />
            </Field>
            {index > 0 ? (
              <span className="pt-6.5">
                <IconButton
                  label={`Remove ${label.toLowerCase()} ${index + 1}`}
                  onClick={() => set(contacts.filter((_, at) => at !== index))}
                >
                  <X aria-hidden />
                </IconButton>
              </span>
            ) : null}
          </div>
        ))}
        {contacts.length < botLimits.contacts ? (
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2 self-start"
            onClick={() => set([...contacts, { text: '', label: words }])}
          >
            <Plus aria-hidden /> {add}
          </Button>
        ) : null}
      </div>
    )
  })
}
