import type { Channel } from '@carillon/contract/channels'
import { useState } from 'react'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { DraftNotice } from '../../../channels/parts/templates/draft-notice.tsx'
import { useFormDraft, useOpenedForm } from '../../../channels/parts/templates/use-form-draft.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useIsMobile } from '../../../lib/use-is-mobile.ts'
import { writeView } from '../../../lib/url-state.ts'
import { fieldMessages, unplacedMessage } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { leadToFirstWrong, useLeadToWrong } from '../../../ui/first-wrong.ts'
import { FormRefusal } from '../../../ui/form-refusal.tsx'
import { Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx'
import { SaveMark } from '../../../ui/wizard-frame.tsx'
import { familiesPath, familiesView } from './families-view.ts'
import { findFormProblems, withChoice, type FamilyForm } from './family-form.ts'
import { RenditionPanel } from './rendition-panel.tsx'
import { SharedFields } from './shared-fields.tsx'
import { texts } from './texts.ts'
import { useRenditions, type EditedRendition } from './use-renditions.ts'
import { useSaveFamily } from './use-save-family.ts'

type FamilyBuilderProps = { id: string | undefined; initial: FamilyForm }

/** Edits one text for several channels, with their phones side by side. */
export function FamilyBuilder({ id, initial }: FamilyBuilderProps) {
  const { form, setForm, draft, isDirty } = useFamilyDraft(id, initial)
  const [tried, setTried] = useState(false)
  const go = useGo()
  const renditions = useRenditions(form)
  const choose = (channel: Channel, patch: Parameters<typeof withChoice>[2]) =>
    setForm((current) => withChoice(current, channel, patch))
  const saving = useSaveFamily({
    id,
    renditions,
    onWritten: (channel, templateId) => choose(channel, { templateId }),
    onSaved(family) {
      draft.finish()
      toast.success(`${family.name} is saved`)
      go(familiesPath, writeView(familiesView, { openId: family._id }), { isSaved: true })
    },
  })
  useLeadToWrong(saving.error)
  const problems = findFormProblems(form, (channel) => renditions.some((each) => canWrite(each, channel)))
  const errors = { ...(tried ? problems : {}), ...placeRefusals(fieldMessages(saving.error), renditions) }

  function save() {
    setTried(true)
    if (Object.keys(problems).length === 0) return saving.mutate(form)
    // Shown once the fields are marked.
    requestAnimationFrame(() => leadToFirstWrong(document.querySelector('main')))
  }
  useHotkeys({ 'Mod+KeyS': save, 'Mod+Enter': save })

  return (
    <Page
      title={form.name || texts.newTitle}
      actions={
        <>
          <SaveMark save={draft.save} />
          <Button size="sm" onClick={() => go(familiesPath)}>
            Close
          </Button>
          <Button size="sm" variant="primary" loading={saving.isPending} onClick={save}>
            Save family
          </Button>
        </>
      }
    >
      <div className="grid gap-x-8 gap-y-6 pb-8 screen-x xl:grid-cols-[320px_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4 xl:sticky xl:top-18 xl:self-start">
          <DraftNotice draft={draft} />
          <SharedFields form={form} errors={errors} onChange={(patch) => setForm((now) => ({ ...now, ...patch }))} />
          <FormRefusal text={unplacedMessage(saving.error, ['name', 'text', 'renditions', ...renditionFields])} />
        </div>
        <Panels renditions={renditions} errors={errors} onChoose={choose} />
      </div>
      <UnsavedGuard what="this family" isDirty={!saving.isSuccess && isDirty && draft.save.state === 'failed'} />
    </Page>
  )
}

function canWrite({ channel, content }: EditedRendition, wanted: Channel): boolean {
  return channel === wanted && content !== undefined
}

/** Fields of the request that belong to a channel's panel. */
const renditionFields = Array.from({ length: 5 }, (_, index) => [
  `renditions.${index}.templateId`,
  `renditions.${index}.channel`,
]).flat()

/** The server names a rendition by its index among those that are sent. */
function placeRefusals(refused: Record<string, string>, renditions: readonly EditedRendition[]) {
  const used = renditions.filter(({ choice }) => choice.mode !== 'off')
  return Object.fromEntries(
    Object.entries(refused).map(([field, message]) => {
      const index = /^renditions\.(\d+)\./.exec(field)?.[1]
      return [(index && used[Number(index)]?.channel) ?? field, message]
    }),
  )
}

/** The form, stored in this browser until it is saved. */
function useFamilyDraft(id: string | undefined, initial: FamilyForm) {
  const name = `template-family.${id ?? 'new'}`
  const unchanged = JSON.stringify(initial)
  const base = id ? unchanged : 'new'
  const opened = useOpenedForm({ name, initial, base })
  const [form, setForm] = useState(opened.first)
  const isDirty = JSON.stringify(form) !== unchanged
  const place = isDirty ? ('browser' as const) : undefined
  const draft = useFormDraft({ name, opened, form, initial, base, place, onReplace: setForm })
  return { form, setForm, draft, isDirty }
}

type PanelsProps = {
  renditions: readonly EditedRendition[]
  errors: Record<string, string>
  onChoose: (channel: Channel, patch: Partial<EditedRendition['choice']>) => void
}

/** All phones side by side; on a phone one at a time, by tab. */
function Panels({ renditions, errors, onChoose }: PanelsProps) {
  const isMobile = useIsMobile()
  const [chosen, setChosen] = useState<Channel>()
  // An error is shown even if its channel's tab is not open.
  const wrong = renditions.find(({ channel }) => errors[channel])?.channel
  const shown = chosen ?? wrong ?? renditions[0]?.channel
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {errors['renditions'] ? <FieldMessage text={errors['renditions']} /> : null}
      {isMobile && shown ? (
        <Tabs
          label="Channel"
          inset="none"
          value={shown}
          onValueChange={setChosen}
          items={renditions.map(({ channel, losses }) => ({
            value: channel,
            label: channelLabel(channel),
            count: losses.length > 0 ? losses.length : undefined,
          }))}
        />
      ) : null}
      <div className="grid gap-5 md:grid-cols-[repeat(auto-fit,minmax(250px,1fr))]">
        {renditions
          .filter(({ channel }) => !isMobile || channel === shown)
          .map((rendition) => (
            <RenditionPanel
              key={rendition.channel}
              rendition={rendition}
              error={errors[rendition.channel]}
              onChoose={(patch) => onChoose(rendition.channel, patch)}
            />
          ))}
      </div>
    </div>
  )
}
