import { defaultChannels } from '@carillon/contract/constants'
import { SupportCategory, SupportPriority } from '@carillon/contract/support'
import { useState, type FormEvent } from 'react'
import type { z } from 'zod'
import { openSupport } from '../../lib/support.ts'
import { fieldMessages, useApi, useApiWrite } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useFirstFieldFocus } from '../../ui/first-focus.ts'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input, Textarea } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { categoryNames, priorityNames } from './support-labels.ts'

type Draft = {
  subject: string
  category: z.infer<typeof SupportCategory>
  priority: z.infer<typeof SupportPriority>
  body: string
  campaignId: string
}

/** A support request to the account above. */
export function NewRequest({ campaignId = '' }: { campaignId?: string | undefined }) {
  const [draft, setDraft] = useState<Draft>({
    subject: '',
    category: 'other',
    priority: 'normal',
    body: '',
    campaignId,
  })
  const set = (patch: Partial<Draft>) => setDraft({ ...draft, ...patch })
  const open = useApiWrite('support.open', {
    refreshes: ['support.list'],
    onSuccess({ id, requestNumber }) {
      toast.success(`Request #${requestNumber} was sent`)
      openSupport({ kind: 'request', id })
    },
  })
  const wrong = fieldMessages(open.error)
  const form = useFirstFieldFocus()

  function submit(event: FormEvent) {
    event.preventDefault()
    const { campaignId: about, ...rest } = draft
    open.mutate({ body: { ...rest, ...(about ? { campaignId: about } : {}) } })
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4 p-5">
      <Field label="What is it about?" error={wrong['subject']}>
        <Input maxLength={160} value={draft.subject} onChange={({ target }) => set({ subject: target.value })} />
      </Field>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Field label="Area" error={wrong['category']}>
          <Select
            value={draft.category}
            options={SupportCategory.options.map((value) => ({ value, label: categoryNames[value] }))}
            onValueChange={(category) => set({ category })}
          />
        </Field>
        <Field label="How urgent" error={wrong['priority']}>
          <Select
            value={draft.priority}
            options={SupportPriority.options.map((value) => ({ value, label: priorityNames[value] }))}
            onValueChange={(priority) => set({ priority })}
          />
        </Field>
      </div>
      <CampaignField
        value={draft.campaignId}
        error={wrong['campaignId']}
        onChange={(about) => set({ campaignId: about })}
      />
      <Field label="Message" error={wrong['body']} help="What you did, what you saw, what you expected.">
        <Textarea rows={8} maxLength={5000} value={draft.body} onChange={({ target }) => set({ body: target.value })} />
      </Field>
      <FormRefusal text={Object.keys(wrong).length === 0 ? open.error?.message : undefined} />
      <div className="flex justify-end gap-2">
        <Button onClick={() => openSupport()}>Cancel</Button>
        <Button type="submit" variant="primary" loading={open.isPending}>
          Send request
        </Button>
      </div>
    </form>
  )
}

type CampaignFieldProps = { value: string; error: string | undefined; onChange: (id: string) => void }

/** Choice of the latest campaigns; omitted if there are none. */
function CampaignField({ value, error, onChange }: CampaignFieldProps) {
  const included = useIncluded('campaign') === true
  const campaigns = useApi(
    'campaigns.list',
    { query: { limit: 25, channel: defaultChannels.campaigns } },
    { enabled: included },
  )
  const known = campaigns.data?.campaigns ?? []
  if (known.length === 0) return null
  const options = known.map(({ _id, campaignName }) => ({ value: _id, label: campaignName }))
  const isOlder = value !== '' && !known.some(({ _id }) => _id === value)
  return (
    <Field label="Campaign" hint="optional" error={error}>
      <Select
        value={value === '' ? 'none' : value}
        options={[
          { value: 'none', label: 'None in particular' },
          ...(isOlder ? [{ value, label: 'The campaign you came from' }] : []),
          ...options,
        ]}
        onValueChange={(chosen) => onChange(chosen === 'none' ? '' : chosen)}
      />
    </Field>
  )
}
