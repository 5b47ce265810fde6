import type { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'
import { Check } from 'lucide-react'
import { categoryHints, senderName } from '../sender-name.ts'
import type { SmsAccountChoice } from '../use-sms-accounts.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import type { TemplateForm } from './form.ts'
import { languages } from './texts.ts'

type SenderFieldsProps = {
  form: TemplateForm
  accounts: readonly SmsAccountChoice[]
  errors: Record<string, string>
  onChange: (patch: Partial<TemplateForm>) => void
}

/** Sender, category and ids of the DLT portal. */
export function SenderFields({ form, accounts, errors, onChange }: SenderFieldsProps) {
  const account = accounts.find(({ id }) => id === form.smsAccountId)
  const headers = [...new Set([...(account?.headers ?? []), ...(form.header ? [form.header] : [])])]
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-3 gap-4 max-md:grid-cols-1 lg:max-xl:grid-cols-[1.4fr_1fr]">
        <Field label="SMS account" error={errors['smsAccountId']} className="lg:max-xl:col-span-2">
          <Select
            name="smsAccountId"
            placeholder="Choose an account"
            value={form.smsAccountId}
            onValueChange={(smsAccountId) => onChange(changeOfAccount(accounts, { smsAccountId, header: form.header }))}
            options={accounts.map(({ id, name, isActive }) => ({
              value: id,
              label: isActive ? name : `${name} (off)`,
            }))}
          />
        </Field>
        <Field
          label="Header"
          error={errors['header']}
          aside={form.header ? `shows as ${senderName(form.header, form.category)}` : undefined}
        >
          <Select
            name="header"
            placeholder="Choose a header"
            value={form.header}
            disabled={!account}
            onValueChange={(header) => onChange({ header })}
            options={headers.map((header) => ({ value: header, label: header }))}
          />
        </Field>
        <Field label="Language" error={errors['language']}>
          <Select
            name="language"
            value={form.language}
            onValueChange={(language) => onChange({ language })}
            options={
              languages.some(({ value }) => value === form.language)
                ? languages
                : [...languages, { value: form.language, label: form.language }]
            }
          />
        </Field>
      </div>
      <CategoryField form={form} onChange={onChange} />
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        <IdField
          label="Entity id"
          name="entityId"
          value={form.entityId}
          lengths={[19, 19]}
          placeholder={account?.entityId}
          note={!form.entityId && account?.entityId ? 'from the account' : undefined}
          error={errors['entityId']}
          onChange={(entityId) => onChange({ entityId })}
        />
        <IdField
          label="DLT template id"
          name="dltTemplateId"
          value={form.dltTemplateId}
          lengths={[12, 19]}
          error={errors['dltTemplateId']}
          onChange={(dltTemplateId) => onChange({ dltTemplateId })}
        />
      </div>
    </div>
  )
}

/** The first header of a newly chosen account, unless it has the chosen one as well. */
export function changeOfAccount(
  accounts: readonly SmsAccountChoice[],
  { smsAccountId, header }: { smsAccountId: string; header: string },
) {
  const headers = accounts.find(({ id }) => id === smsAccountId)?.headers ?? []
  return { smsAccountId, header: headers.includes(header) ? header : (headers[0] ?? header) }
}

const categories: { value: SmsCategory; label: string; letter: string }[] = [
  { value: 'promotional', label: 'Promotional', letter: 'P' },
  { value: 'service_implicit', label: 'Service', letter: 'S' },
  { value: 'service_explicit', label: 'By consent', letter: 'P' },
  { value: 'transactional', label: 'Transactional', letter: 'T' },
  { value: 'government', label: 'Government', letter: 'G' },
]

function CategoryField({ form, onChange }: Pick<SenderFieldsProps, 'form' | 'onChange'>) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">Category</span>
        <span className="text-caption text-muted-foreground">{categoryHints[form.category]}</span>
      </div>
      <Select
        className="md:hidden"
        aria-label="Category"
        value={form.category}
        onValueChange={(category) => onChange({ category })}
        options={categories}
      />
      <div className="max-md:hidden">
        <Segmented
          label="Category"
          fill
          value={form.category}
          onValueChange={(category) => onChange({ category })}
          options={categories.map(({ value, label, letter }) => ({
            value,
            name: label,
            label: (
              <>
                {label}{' '}
                <em className="font-mono text-caption text-muted-foreground not-italic max-xl:hidden">{letter}</em>
              </>
            ),
          }))}
        />
      </div>
    </div>
  )
}

type IdFieldProps = {
  label: string
  name: string
  value: string
  lengths: readonly [number, number]
  placeholder?: string | undefined
  note?: string | undefined
  error: string | undefined
  onChange: (value: string) => void
}

function IdField({ label, name, value, lengths: [least, most], placeholder, note, error, onChange }: IdFieldProps) {
  const isWhole = value.length >= least && value.length <= most
  return (
    <Field
      label={label}
      hint={note ? undefined : '(optional)'}
      error={error}
      aside={note ?? (value ? `${value.length}/${most}` : undefined)}
    >
      <Input
        mono
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={most + 4}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, '').slice(0, most))}
        trailing={isWhole ? <Check aria-label="complete" className="size-4 text-success-text!" /> : null}
      />
    </Field>
  )
}
