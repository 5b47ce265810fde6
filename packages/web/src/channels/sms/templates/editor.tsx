import type { SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import { worstCase } from '@carillon/contract/channels/sms/sms-variables'
import { useState } from 'react'
import { CompareBox } from '../compare-box.tsx'
import { senderName } from '../sender-name.ts'
import { useSmsPrice } from '../use-sms-price.ts'
import { SmsEditor } from '../sms-editor.tsx'
import { checkTemplate, fillSamples } from '../template-rules.ts'
import type { SmsAccountChoice } from '../use-sms-accounts.ts'
import { countOf, formatUnitPrice } from '../../../lib/format.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useScreenName } from '../../../lib/title.ts'
import { fieldMessages } from '../../../lib/use-api.ts'
import { BuilderFrame } from '../../../ui/builder-frame.tsx'
import { Button } from '../../../ui/button.tsx'
import { leadToFirstWrong, useLeadToWrong } from '../../../ui/first-wrong.ts'
import { Notice } from '../../../ui/notice.tsx'
import { piecesOf } from '../phone/dlt-pieces.ts'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx'
import { SenderFields } from './sender-fields.tsx'
import { TemplateChecks } from './checks.tsx'
import { DraftNotice } from '../../parts/templates/draft-notice.tsx'
import { inputOf, missingFields, withBody, type TemplateForm } from './form.ts'
import { TemplateStatusPill } from './status.tsx'
import { texts } from './texts.ts'
import { useFormDraft, useOpenedForm } from '../../parts/templates/use-form-draft.ts'
import { useSaveTemplate } from './use-save.ts'
import { VariablesTable } from './variables-table.tsx'

type TemplateEditorProps = {
  id: string | undefined
  initial: TemplateForm
  accounts: readonly SmsAccountChoice[]
  /** Distinguishes a user's unsaved drafts. */
  draftName: string
  /** It was prefilled from a pasted approval: an older draft is replaced. */
  isFresh: boolean
}

/** SMS template editor with phone preview and operator checks. */
export function TemplateEditor(props: TemplateEditorProps) {
  const { id, initial, accounts } = props
  const { form, setForm, draft, isDirty } = useTemplateDraft(props)
  const [tried, setTried] = useState(false)
  const [focused, setFocused] = useState<string>()
  const saving = useSaveTemplate(id, draft.finish)
  const price = useSmsPrice(form.category)
  useLeadToWrong(saving.error)
  useScreenName(id ? texts.editTitle(initial.name) : texts.newTitle)
  const change = (patch: Partial<TemplateForm>) => setForm((current) => ({ ...current, ...patch }))
  const changeBody = (body: string) => setForm((current) => withBody(current, body))

  const account = accounts.find((choice) => choice.id === form.smsAccountId)
  const filled = fillSamples(form)
  const findings = checkTemplate({ ...form, accountEntityId: account?.entityId })
  const errors = { ...(tried ? missingFields(form) : {}), ...fieldMessages(saving.error) }
  const isDraft = form.status === 'draft'

  function save(status: SmsTemplateStatus) {
    setTried(true)
    if (Object.keys(missingFields(form)).length === 0) saving.save(inputOf(form, status))
    // Shown once the fields are marked.
    else requestAnimationFrame(() => leadToFirstWrong(document.querySelector('main')))
  }
  const finish = () => save(isDraft ? 'approved' : form.status)
  useHotkeys({ 'Mod+KeyS': () => save(form.status), 'Mod+Enter': finish })

  const preview = (
    <PhonePreview
      scale={0.778}
      pricePerPart={price}
      message={{
        channel: 'sms',
        sender: senderName(form.header, form.category),
        pieces: piecesOf(form.body, fillings(form)),
      }}
      focusedVariable={focused}
      onVariable={(name) =>
        document.getElementById(`sample-${form.variables.findIndex((variable) => variable.name === name)}`)?.focus()
      }
    />
  )

  return (
    <BuilderFrame
      name={form.name || texts.newTitle}
      onRename={(name) => change({ name })}
      nameError={errors['name']}
      badge={<TemplateStatusPill status={form.status} />}
      save={draft.save}
      preview={preview}
      checks={<TemplateChecks form={form} findings={findings} onBody={changeBody} />}
      openChecks={findings.filter(({ level }) => level !== 'pass').length}
      actions={
        <SaveActions id={id} form={form} isPending={saving.isPending} onDraft={() => save('draft')} onFinish={finish} />
      }
    >
      <div className="flex flex-col gap-6">
        <DraftNotice draft={draft} />
        {saving.error ? <Notice tone="bad">{saving.error.message}</Notice> : null}
        <SenderFields form={form} accounts={accounts} errors={errors} onChange={change} />
        <SmsEditor
          body={form.body}
          onBodyChange={changeBody}
          filled={filled}
          pricePerPart={price}
          error={errors['body']}
          under={<WorstCase form={form} price={price} />}
        />
        <CompareBox
          body={form.body}
          approved={form.approved}
          onApprovedChange={(approved) => change({ approved })}
          onUse={changeBody}
        />
        <VariablesSection form={form} onChange={change} onFocus={setFocused} />
      </div>
      <UnsavedGuard what="this template" isDirty={!saving.isSuccess && isDirty && draft.save.state === 'failed'} />
    </BuilderFrame>
  )
}

/** The form, stored in this browser until saved. */
function useTemplateDraft({ id, initial, accounts, draftName: name, isFresh }: TemplateEditorProps) {
  const [begun] = useState(() => startOf(initial, accounts))
  const unchanged = JSON.stringify(begun)
  // A new template has no version on the server that could change meanwhile.
  const base = id ? unchanged : 'new'
  const opened = useOpenedForm({ name, initial: begun, base, isFresh })
  const [form, setForm] = useState(opened.first)
  const isDirty = JSON.stringify(form) !== unchanged
  const place = isDirty ? ('browser' as const) : undefined
  const draft = useFormDraft({ name, opened, form, initial: begun, base, place, onReplace: setForm })
  return { form, setForm, draft, isDirty }
}

type SaveActionsProps = {
  id: string | undefined
  form: TemplateForm
  isPending: boolean
  onDraft: () => void
  onFinish: () => void
}

function SaveActions({ id, form, isPending, onDraft, onFinish }: SaveActionsProps) {
  const body = { ...inputOf(form, form.status), ...(id ? { id } : {}) }
  return (
    <>
      <ShowAsApi compact call={id ? 'smsTemplates.update' : 'smsTemplates.create'} body={body} />
      {form.status === 'draft' ? (
        <Button size="sm" variant="outline" loading={isPending} onClick={onDraft}>
          Save draft
        </Button>
      ) : null}
      <Button size="sm" variant="primary" loading={isPending} onClick={onFinish}>
        Save template
      </Button>
    </>
  )
}

type VariablesSectionProps = {
  form: TemplateForm
  onChange: (patch: Partial<TemplateForm>) => void
  onFocus: (name: string | undefined) => void
}

function VariablesSection({ form, onChange, onFocus }: VariablesSectionProps) {
  if (form.variables.length === 0) return null
  return (
    <section aria-labelledby="variables-title">
      <div className="mb-1 flex min-h-8 items-baseline gap-2">
        <h2 id="variables-title" className="text-section font-semibold">
          Variables
        </h2>
        <p className="text-dense text-muted-foreground">Samples show on the phone; they are not sent</p>
      </div>
      <VariablesTable variables={form.variables} onChange={(variables) => onChange({ variables })} onFocus={onFocus} />
    </section>
  )
}

function WorstCase({ form, price }: { form: TemplateForm; price: number | null | undefined }) {
  const unpriced = price === null ? ' Rate not set for this category.' : ''
  if (form.variables.length === 0) return unpriced
  const { units, parts } = worstCase(form.body)
  const cost = price ? `, ${formatUnitPrice(price * parts)} a message` : ''
  return `Counted with the samples below. With every variable at its longest: ${countOf(units, 'character')}, ${countOf(parts, 'part')}${cost}.${unpriced}`
}

function fillings({ variables }: TemplateForm) {
  return variables.map(({ name, sample }) => ({ name, value: sample }))
}

/** The default account of a new template: the first active one. */
function startOf(initial: TemplateForm, accounts: readonly SmsAccountChoice[]): TemplateForm {
  if (initial.smsAccountId) return initial
  const owner =
    accounts.find(({ headers }) => headers.includes(initial.header)) ??
    accounts.find(({ isActive }) => isActive) ??
    accounts[0]
  return owner ? { ...initial, smsAccountId: owner.id, header: initial.header || (owner.headers[0] ?? '') } : initial
}
