import type { Brand } from '@carillon/contract/brands'
import { useState, type FormEvent } from 'react'
import { reloadBrand } from '../../lib/brand.ts'
import type { CallData } from '../../lib/call.ts'
import { fieldMessages, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Field } from '../../ui/field.tsx'
import { Input, Textarea } from '../../ui/input.tsx'
import { Region } from '../../ui/region.tsx'
import { toast } from '../../ui/toast.tsx'
import { BrandColour } from './brand-colour.tsx'
import { BrandLogo } from './brand-logo.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'

/** Branding for the account's customers: name and colours. */
export function BrandSection() {
  const brand = useApi('brand.get', {})
  return (
    <Region read={brand} label="the brand" lines={8}>
      {(data) => <BrandForm saved={data} />}
    </Region>
  )
}

type Draft = Omit<Brand, 'hosts'> & { hosts: string }
type Saved = CallData<'brand.get'>

function BrandForm({ saved }: { saved: Saved }) {
  const before = draftOf(saved)
  const [draft, setDraft] = useState(before)
  const set = (patch: Partial<Draft>) => setDraft({ ...draft, ...patch })
  const save = useApiWrite('brand.set', {
    refreshes: ['brand.get'],
    onSuccess(next) {
      setDraft(draftOf(next))
      toast.success('Brand saved')
      void reloadBrand()
    },
  })
  const wrong = fieldMessages(save.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate({ body: { ...draft, hosts: hostsOf(draft.hosts) } })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        error={wrong['name']}
        help="Instead of the product’s own, on every page and in the browser’s tab."
      >
        <Input maxLength={60} value={draft.name} onChange={({ target }) => set({ name: target.value })} />
      </Field>
      <BrandLogo logo={saved.logo} />
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        <BrandColour theme="light" value={draft.color} error={wrong['color']} onChange={(color) => set({ color })} />
        <BrandColour
          theme="dark"
          value={draft.colorDark}
          error={wrong['colorDark']}
          onChange={(colorDark) => set({ colorDark })}
        />
      </div>
      <BrandPreview name={draft.name} logo={saved.logo} color={draft.color} colorDark={draft.colorDark} />
      <Places draft={draft} wrong={wrong} set={set} />
      <MailFields draft={draft} wrong={wrong} set={set} />
      <SaveBar
        isDirty={JSON.stringify(draft) !== JSON.stringify(before)}
        isSaving={save.isPending}
        error={save.error && Object.keys(wrong).length === 0 ? save.error : null}
        onReset={() => {
          save.reset()
          setDraft(before)
        }}
      />
    </form>
  )
}

type PartProps = { draft: Draft; wrong: Record<string, string>; set: (patch: Partial<Draft>) => void }

/** Host names, and links to the brand's own pages. */
function Places({ draft, wrong, set }: PartProps) {
  const wrongHost = Object.entries(wrong).find(([field]) => field === 'hosts' || field.startsWith('hosts.'))
  return (
    <>
      <Field
        label="Host names"
        hint="optional"
        error={wrongHost?.[1]}
        help="One per line, at most five, such as messages.example.com. Point each at this installation: visitors see your brand before they sign in."
      >
        <Textarea
          rows={2}
          spellCheck={false}
          autoCapitalize="none"
          value={draft.hosts}
          onChange={({ target }) => set({ hosts: target.value })}
        />
      </Field>
      <TextField label="Privacy policy" name="privacyUrl" kind="url" {...{ draft, wrong, set }} />
      <TextField label="Help pages" name="supportUrl" kind="url" {...{ draft, wrong, set }} />
      <TextField label="Help by e-mail" name="supportEmail" kind="email" {...{ draft, wrong, set }} />
      <TextField
        label="Certification"
        name="certification"
        kind="text"
        help="Mentioned in the footer, such as ISO/IEC 27001 certified."
        {...{ draft, wrong, set }}
      />
    </>
  )
}

function MailFields(part: PartProps) {
  return (
    <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
      <TextField label="Sender name of emails" name="mailSenderName" kind="text" {...part} />
      <TextField label="Reply-to address" name="mailReplyTo" kind="email" {...part} />
    </div>
  )
}

type TextFieldProps = PartProps & {
  label: string
  name: 'privacyUrl' | 'supportUrl' | 'supportEmail' | 'certification' | 'mailSenderName' | 'mailReplyTo'
  kind: 'url' | 'email' | 'text'
  help?: string
}

function TextField({ label, name, kind, help, draft, wrong, set }: TextFieldProps) {
  return (
    <Field label={label} hint="optional" error={wrong[name]} help={help}>
      <Input
        type={kind}
        maxLength={name === 'mailSenderName' ? 60 : name === 'certification' ? 80 : 254}
        value={draft[name]}
        {...(kind === 'url' ? { placeholder: 'https://' } : {})}
        onChange={({ target }) => set({ [name]: target.value })}
      />
    </Field>
  )
}

function draftOf(saved: Saved): Draft {
  const { logo: _, isSet: __, hosts, ...rest } = saved
  return { ...rest, hosts: hosts.join('\n') }
}

function hostsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}
