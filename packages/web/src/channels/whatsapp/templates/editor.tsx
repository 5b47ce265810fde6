import { useEffect, useState } from 'react'
import { phoneMessageOf } from '../phone-message.ts'
import { languageLabel, TemplateState } from '../template-labels.tsx'
import type { DraftStorage } from '../../../lib/form-drafts.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useScreenName } from '../../../lib/title.ts'
import { fieldMessages } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { BuilderFrame } from '../../../ui/builder-frame.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import type { WhatsappPart } from '../phone/whatsapp-message.ts'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { SaveState } from '../../../ui/wizard-frame.tsx'
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx'
import { DraftNotice } from '../../parts/templates/draft-notice.tsx'
import { useFormDraft, useOpenedForm } from '../../parts/templates/use-form-draft.ts'
import { draftsOf, toSubmit, useSaveWhatsapp } from './use-save.ts'
import { useWhatsappForm } from './use-form.ts'
import { useWhatsappMedia, type WhatsappMedia } from './use-media.ts'
import { WhatsappChecks } from './checks.tsx'
import { focusField } from '../../parts/templates/focus-field.ts'
import { findingsOf } from './findings.ts'
import { inputOf, isBlank, isLocked, isSaved, type Variant, type WhatsappForm } from './form.ts'
import { whatsappTemplateScreens } from './screens.ts'
import { WhatsappOutline } from './outline.tsx'
import { problemsOf } from '../../parts/templates/problems.tsx'
import { WhatsappSections } from './sections.tsx'
import { whatsappTexts } from './texts.ts'

export type WabaChoice = { waba_id: string; name: string; numbers: readonly { verifiedName: string }[] }

type EditorProps = {
  initial: WhatsappForm
  wabas: readonly WabaChoice[]
  title: string
  /** Distinguishes a user's unsaved drafts. */
  draftName: string
}

/** WhatsApp template editor with languages, phone preview and checks. */
export function WhatsappTemplateEditor({ initial, wabas, title, draftName }: EditorProps) {
  const { opened, ...kept } = useBegun(initial, draftName)
  const editing = useWhatsappForm(opened.first)
  const { form, variant, index } = editing
  const media = useWhatsappMedia(form.waba_id)
  const [focus, setFocus] = useState<Focus>({})
  const saving = useSaveWhatsapp({ onSaved: editing.markSaved })
  const save = useDraftKeeping(form, saving)
  const isDirty = !isBlank(form) && !saving.submit.isSuccess && form.variants.some((each) => !isSaved(form, each))
  const draft = useFormDraft({ ...kept.of(form, isDirty), opened, form, onReplace: editing.replace })
  const { isTried, submit } = useSubmit(editing, saving, draft.finish)
  const keep = () => saving.draft.mutate(form)
  useHotkeys({ 'Mod+KeyS': keep, 'Mod+Enter': submit })
  useScreenName(form.name || title)

  const findings = findingsOf(form, variant)
  const error = saving.submit.error ?? saving.draft.error
  const refused = fieldMessages(error)
  const known = problemsOf(findings, isTried)

  return (
    <BuilderFrame
      name={form.name || title}
      badge={<TemplateState status={variant.status} quality="unknown" />}
      save={save.state === 'none' ? draft.save : save}
      preview={<EditorPreview {...{ editing, wabas, media, focus }} />}
      checks={<WhatsappChecks form={form} findings={findings} onRenumber={editing.renumber} />}
      openChecks={findings.length}
      actions={<Actions form={form} index={index} saving={saving} onKeep={keep} onSubmit={submit} />}
    >
      <div className="grid gap-x-6 xl:grid-cols-[160px_minmax(0,1fr)]">
        <WhatsappOutline
          form={form}
          current={index}
          findings={findings}
          onLanguage={editing.showLanguage}
          onAdd={editing.addLanguage}
          onRemove={editing.removeLanguage}
        />
        <div className="flex min-w-0 flex-col gap-7">
          <DraftNotice draft={draft} />
          {error && Object.keys(refused).length === 0 ? <Notice tone="bad">{error.message}</Notice> : null}
          {isLocked(variant) ? (
            <Notice tone="info">{whatsappTexts.locked(languageLabel(variant.language))}</Notice>
          ) : null}
          <WhatsappSections
            editing={editing}
            wabas={wabas}
            media={media}
            problems={(field) => known(field) ?? refused[field]}
            onVariable={(variable) => setFocus({ variable })}
            onPart={(part) => setFocus({ part })}
          />
        </div>
      </div>
      <UnsavedGuard what="this template" isDirty={isDirty && draft.save.state === 'failed'} />
    </BuilderFrame>
  )
}

/** The initial form, and where it is stored. */
function useBegun(initial: WhatsappForm, name: string) {
  const [begun] = useState(initial)
  const isNew = begun.variants.every(({ id }) => id === undefined)
  // A new template has no version on the server that could change meanwhile.
  const base = (form: WhatsappForm) => (isNew ? 'new' : baseOf(form))
  const opened = useOpenedForm({ name, initial: begun, base: base(begun) })
  return {
    opened,
    of: (form: WhatsappForm, isDirty: boolean) => ({
      name,
      initial: begun,
      base: base(form),
      place: placeOf(form, { isDirty, isNew }),
    }),
  }
}

/** The saved version. */
function baseOf({ variants }: WhatsappForm): string {
  return JSON.stringify(variants.map(({ id, saved }) => [id, saved]))
}

/** Stored in the browser unless saved on the server; for reloads, also the id of a newly created template. */
function placeOf(
  { variants }: WhatsappForm,
  { isDirty, isNew }: { isDirty: boolean; isNew: boolean },
): DraftStorage | undefined {
  if (isDirty) return 'browser'
  return isNew && variants.some(({ id }) => id !== undefined) ? 'tab' : undefined
}

type Editing = ReturnType<typeof useWhatsappForm>

/** Submits valid languages, or focuses the first error in any language. */
function useSubmit({ form, showLanguage }: Editing, { submit }: Saving, onSubmitted: () => void) {
  const go = useGo()
  const [isTried, setTried] = useState(false)

  function finish() {
    onSubmitted()
    toast.success(whatsappTexts.submitted, { description: whatsappTexts.submittedText })
    go(whatsappTemplateScreens.listPath, {}, { isSaved: true })
  }
  return {
    isTried,
    submit() {
      setTried(true)
      const wrong = toSubmit(form).find((each) => firstError(form, each))
      if (!wrong) return submit.mutate(form, { onSuccess: finish })
      showLanguage(form.variants.indexOf(wrong))
      // The other language must be rendered before its field can be found.
      requestAnimationFrame(() => focusField(firstError(form, wrong)?.field ?? ''))
    },
  }
}

function firstError(form: WhatsappForm, variant: Variant) {
  return findingsOf(form, variant).find(({ level }) => level === 'error')
}

type Focus = { variable?: string | undefined; part?: WhatsappPart | undefined }

type EditorPreviewProps = {
  editing: Editing
  wabas: readonly WabaChoice[]
  media: WhatsappMedia
  focus: Focus
}

function EditorPreview({ editing, wabas, media, focus }: EditorPreviewProps) {
  const { form, variant } = editing
  const waba = wabas.find(({ waba_id }) => waba_id === form.waba_id)
  const { samples } = variant.content
  return (
    <PhonePreview
      scale={0.778}
      message={phoneMessageOf(variant.content, {
        sender: waba?.numbers[0]?.verifiedName || waba?.name || '',
        category: form.category,
        mediaUrls: Object.fromEntries(Object.entries(media.known).map(([handle, { url }]) => [handle, url])),
      })}
      focusedVariable={focus.variable}
      focusedPart={focus.part}
      onPart={(part) => focusField(`components.${part}`)}
      onVariable={(name) => focusField(`components.samples.${samples.findIndex((sample) => sample.name === name)}`)}
    />
  )
}

type Saving = ReturnType<typeof useSaveWhatsapp>
const restMs = 2000

/** Saves a draft with name and account automatically, two seconds after the last change. */
function useDraftKeeping(form: WhatsappForm, { draft, submit }: Saving): SaveState {
  const [savedAt, setSavedAt] = useState<number>()
  const isSaved = form.name !== '' && form.waba_id !== '' && draftsOf(form).length > 0
  const { mutate, isPending, isError } = draft
  const isBusy = isPending || submit.isPending || submit.isSuccess
  useEffect(() => {
    if (!isSaved || isBusy) return undefined
    const timer = setTimeout(() => mutate(form, { onSuccess: () => setSavedAt(Date.now()) }), restMs)
    return () => clearTimeout(timer)
  }, [form, isSaved, isBusy, mutate])
  if (isPending) return { state: 'saving' }
  if (isError) return { state: 'failed' }
  return savedAt === undefined ? { state: 'none' } : { state: 'saved', at: savedAt }
}

type ActionsProps = { form: WhatsappForm; index: number; saving: Saving; onKeep: () => void; onSubmit: () => void }

function Actions({ form, index, saving, onKeep, onSubmit }: ActionsProps) {
  const variant = form.variants[index]
  const count = toSubmit(form).length
  const hasDraft = form.variants.some(({ status }) => status === 'DRAFT')
  return (
    <>
      {variant ? <ShowAsApi compact call="waTemplates.create" body={inputOf(form, variant)} /> : null}
      {hasDraft ? (
        <Button size="sm" loading={saving.draft.isPending} disabled={!form.waba_id} onClick={onKeep}>
          Save draft
        </Button>
      ) : null}
      <Button size="sm" variant="primary" loading={saving.submit.isPending} disabled={count === 0} onClick={onSubmit}>
        {count > 1 ? `Submit ${count} languages` : 'Submit to Meta'}
      </Button>
    </>
  )
}
