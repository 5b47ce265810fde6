import type { BillingDetails } from '@carillon/contract/billing-details'
import { useState, type FormEvent } from 'react'
import { fieldMessages, useApiWrite } from '../lib/use-api.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input, Textarea } from './input.tsx'
import { Notice } from './notice.tsx'
import { toast } from './toast.tsx'

type BillingDetailsFormProps = {
  details: BillingDetails
  /** Also shows the fields for issued invoices: numbering and tax. */
  issues?: boolean
}

/** Name, address and tax number for invoices. */
export function BillingDetailsForm({ details, issues }: BillingDetailsFormProps) {
  const [draft, setDraft] = useState(details)
  const save = useApiWrite('billingDetails.set', {
    refreshes: ['billingDetails.get'],
    onSuccess: () => toast.success('Billing details saved'),
  })
  const wrong = fieldMessages(save.error)
  const set = (patch: Partial<BillingDetails>) => setDraft({ ...draft, ...patch })

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate({ body: draft })
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Legal name" error={wrong['legalName']}>
        <Input
          maxLength={160}
          value={draft.legalName}
          onChange={({ target }) => set({ legalName: target.value })}
          autoComplete="organization"
        />
      </Field>
      <Field label="Address" error={wrong['address']}>
        <Textarea
          rows={3}
          maxLength={400}
          value={draft.address}
          onChange={({ target }) => set({ address: target.value })}
          autoComplete="street-address"
        />
      </Field>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="GSTIN" hint="optional" error={wrong['gstin']} help="15 characters; its first two are the state">
          <Input
            mono
            maxLength={15}
            value={draft.gstin}
            onChange={({ target }) => {
              const gstin = target.value.toUpperCase()
              set({ gstin, ...(/^\d{2}/.test(gstin) ? { stateCode: gstin.slice(0, 2) } : {}) })
            }}
          />
        </Field>
        <Field label="State code" hint="optional" error={wrong['stateCode']}>
          <Input
            inputMode="numeric"
            maxLength={2}
            value={draft.stateCode}
            onChange={({ target }) => set({ stateCode: target.value })}
          />
        </Field>
        {issues ? <IssuingFields draft={draft} wrong={wrong} set={set} /> : null}
      </div>
      {save.error && Object.keys(wrong).length === 0 ? <Notice tone="bad">{save.error.message}</Notice> : null}
      <Button type="submit" variant="primary" className="self-start" loading={save.isPending}>
        Save details
      </Button>
    </form>
  )
}

type IssuingFieldsProps = {
  draft: BillingDetails
  wrong: Record<string, string>
  set: (patch: Partial<BillingDetails>) => void
}

function IssuingFields({ draft, wrong, set }: IssuingFieldsProps) {
  return (
    <>
      <Field label="Invoice prefix" error={wrong['invoicePrefix']} help={`${draft.invoicePrefix || 'INV'}/2026/0001`}>
        <Input
          mono
          maxLength={12}
          value={draft.invoicePrefix}
          onChange={({ target }) => set({ invoicePrefix: target.value })}
        />
      </Field>
      <Field label="SAC code" error={wrong['sacCode']} help="998599: other support services">
        <Input
          mono
          inputMode="numeric"
          maxLength={8}
          value={draft.sacCode}
          onChange={({ target }) => set({ sacCode: target.value })}
        />
      </Field>
      <Field label="GST percent" error={wrong['taxPercent']} help="0: no tax lines">
        <Input
          type="number"
          inputMode="decimal"
          min={0}
          max={50}
          value={draft.taxPercent}
          onChange={({ target }) => set({ taxPercent: target.valueAsNumber || 0 })}
        />
      </Field>
    </>
  )
}
