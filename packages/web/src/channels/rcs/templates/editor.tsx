import type { BotChoice } from '@carillon/contract/channels/rcs/rcs-bots'
import { Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useScreenName } from '../../../lib/title.ts'
import { fieldMessages } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { BuilderFrame } from '../../../ui/builder-frame.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { MessagePart } from '../../../ui/phone/pieces.ts'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { toast } from '../../../ui/toast.tsx'
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx'
import { DraftNotice } from '../../parts/templates/draft-notice.tsx'
import { focusField } from '../../parts/templates/focus-field.ts'
import { problemsOf } from '../../parts/templates/problems.tsx'
import { TemplatePill } from '../../parts/templates/status-pill.tsx'
import { useFormDraft, useOpenedForm } from '../../parts/templates/use-form-draft.ts'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import { rcsMessageOf } from '../phone-message.ts'
import { statusLooks } from '../template-labels.tsx'
import { botOf, brandOf } from '../use-bots.ts'
import { RcsBasics } from './basics.tsx'
import { RcsChecks } from './checks.tsx'
import { RcsContent } from './content.tsx'
import { findingsOf } from './findings.ts'
import { inputOf, isBlank, isLocked, isSaved, type RcsForm } from './form.ts'
import { cardOfField, fieldOfPart } from './places.ts'
import { rcsTemplateScreens } from './screens.ts'
import { rcsTexts } from './texts.ts'
import { useCardActions } from './use-card-actions.ts'
import { useRcsForm, type RcsEditing } from './use-form.ts'
import { useDraftSaving, useSaveRcs, type RcsSaving } from './use-save.ts'

type EditorProps = {
  initial: RcsForm
  bots: readonly BotChoice[]
  /** Distinguishes a user's unsaved drafts. */
  draftName: string
}

/** RCS template editor with phone preview and checks. */
export function RcsTemplateEditor({ initial, bots, draftName }: EditorProps) {
  const { editing, draft, saving, save, isDirty } = useEditor(initial, draftName)
  const { form } = editing
  const { input } = form
  const [part, setPart] = useState<MessagePart>()
  const findings = findingsOf(input)
  const show = (field: string) => showField(editing, field)
  const { isTried, create } = useCreate(editing, saving, { onCreated: draft.finish, onWrong: show })
  const { actions, announcement } = useCardActions(editing)
  const keep = () => saving.draft.mutate(form)
  useEditorKeys({ editing, actions, keep, create })
  useScreenName(input.name || rcsTexts.newTitle)

  const error = saving.create.error ?? saving.draft.error
  const refused = fieldMessages(error)
  const known = problemsOf(findings, isTried)
  return (
    <BuilderFrame
      name={input.name || rcsTexts.newTitle}
      badge={<TemplatePill look={statusLooks[form.status]} />}
      save={save.state === 'none' ? draft.save : save}
      preview={
        <PhonePreview
          scale={0.778}
          message={rcsMessageOf(inputOf(form), brandOf(botOf(bots, input.botId)))}
          focusedPart={part}
          onPart={(pressed) => show(fieldOfPart(pressed, input))}
          onVariable={(name) => show(fieldOfVariable(input, name))}
        />
      }
      checks={<RcsChecks input={input} findings={findings} onInput={editing.setInput} onShow={show} />}
      openChecks={findings.length}
      actions={<Actions editing={editing} saving={saving} onKeep={keep} onCreate={create} />}
    >
      <div className="flex min-w-0 flex-col gap-7">
        <DraftNotice draft={draft} />
        {error && Object.keys(refused).length === 0 ? <Notice tone="bad">{error.message}</Notice> : null}
        {isLocked(form) ? (
          <Notice tone="info">This template cannot be changed while it is in this state.</Notice>
        ) : null}
        <fieldset disabled={isLocked(form)} className="flex min-w-0 flex-col gap-7">
          <RcsBasics editing={editing} bots={bots} problems={(field) => known(field) ?? refused[field]} />
          <RcsContent
            editing={editing}
            findings={findings}
            actions={actions}
            problems={(field) => known(field) ?? refused[field]}
            onPart={setPart}
          />
        </fieldset>
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
      <UnsavedGuard what="this template" isDirty={isDirty && draft.save.state === 'failed'} />
    </BuilderFrame>
  )
}

/** The form with its undo history, its draft in the browser, and its draft on the server. */
function useEditor(initial: RcsForm, name: string) {
  const [begun] = useState(initial)
  const base = (form: RcsForm) => (begun.id === undefined ? 'new' : form.saved)
  const opened = useOpenedForm({ name, initial: begun, base: base(begun) })
  const editing = useRcsForm(opened.first)
  const { form } = editing
  const saving = useSaveRcs({ onSaved: editing.markSaved })
  const save = useDraftSaving(form, saving)
  const isDirty = !isBlank(form) && !isSaved(form) && !saving.create.isSuccess
  const isNewlySaved = begun.id === undefined && form.id !== undefined
  const draft = useFormDraft({
    name,
    opened,
    form,
    initial: begun,
    base: base(form),
    // For reloads, the id of a newly created draft is kept as well.
    place: isDirty ? 'browser' : isNewlySaved ? 'tab' : undefined,
    onReplace: editing.replace,
  })
  return { editing, draft, saving, save, isDirty }
}

/** Shows the card of a field, then focuses the field. */
function showField({ showCard }: RcsEditing, field: string) {
  const card = cardOfField(field)
  // The fields of another card must be rendered before one of them can be found.
  if (typeof card === 'number') flushSync(() => showCard(card))
  focusField(field)
}

/** The first field that contains a variable. */
function fieldOfVariable(input: RcsForm['input'], name: string): string {
  const pattern = new RegExp(`\\{\\{\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*\\}\\}`)
  if (input.type === 'text_message') return 'textMessageContent'
  const cards = input.type === 'carousel' ? input.carouselList : input.standAlone ? [input.standAlone] : []
  const index = cards.findIndex((card) => pattern.test(`${card.cardTitle}${card.cardDescription}`))
  const card = cards[index]
  const at = input.type === 'carousel' ? `carouselList.${index}` : 'standAlone'
  return `${at}.${card && pattern.test(card.cardTitle) ? 'cardTitle' : 'cardDescription'}`
}

type Creation = { onCreated: () => void; onWrong: (field: string) => void }

/** Creates a template without errors, or leads to the first error. */
function useCreate({ form }: RcsEditing, { create }: RcsSaving, { onCreated, onWrong }: Creation) {
  const go = useGo()
  const [isTried, setTried] = useState(false)
  return {
    isTried,
    create() {
      setTried(true)
      const wrong = findingsOf(form.input).find(({ level }) => level === 'error')
      if (wrong) return onWrong(wrong.field)
      create.mutate(form, {
        onSuccess({ status }) {
          onCreated()
          const description = status === 'APPROVED' ? rcsTexts.savedText : rcsTexts.submittedText
          toast.success(rcsTexts.saved, { description })
          go(rcsTemplateScreens.listPath, {}, { isSaved: true })
        },
      })
    },
  }
}

type EditorKeys = {
  editing: RcsEditing
  actions: ReturnType<typeof useCardActions>['actions']
  keep: () => void
  create: () => void
}

function useEditorKeys({ editing, actions, keep, create }: EditorKeys) {
  const { form, current, undo, redo } = editing
  const isCarousel = form.input.type === 'carousel'
  useHotkeys({
    'Mod+KeyS': keep,
    'Mod+Enter': create,
    'Mod+KeyZ': () => undo?.(),
    'Mod+Shift+KeyZ': () => redo?.(),
    ...(isCarousel
      ? {
          'Mod+KeyD': () => actions.duplicate(current),
          'Alt+ArrowUp': () => actions.move(current, current - 1),
          'Alt+ArrowDown': () => actions.move(current, current + 1),
        }
      : {}),
  })
}

type ActionsProps = { editing: RcsEditing; saving: RcsSaving; onKeep: () => void; onCreate: () => void }

function Actions({ editing, saving, onKeep, onCreate }: ActionsProps) {
  const { form, undo, redo } = editing
  const isDraft = form.status === 'DRAFT'
  return (
    <>
      <span className="flex max-md:hidden">
        <IconButton label="Undo" size="sm" keys={['Mod', 'Z']} aria-disabled={!undo} onClick={() => undo?.()}>
          <Undo2 aria-hidden />
        </IconButton>
        <IconButton label="Redo" size="sm" keys={['Shift', 'Mod', 'Z']} aria-disabled={!redo} onClick={() => redo?.()}>
          <Redo2 aria-hidden />
        </IconButton>
      </span>
      <ShowAsApi compact call="rcsTemplates.create" body={inputOf(form)} />
      {isDraft ? (
        <Button size="sm" loading={saving.draft.isPending} onClick={onKeep}>
          Save draft
        </Button>
      ) : null}
      <Button
        size="sm"
        variant="primary"
        loading={saving.create.isPending}
        disabled={isLocked(form) || (!isDraft && isSaved(form))}
        onClick={onCreate}
      >
        Save template
      </Button>
    </>
  )
}
