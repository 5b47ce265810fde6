import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { editorView } from '../../../channels/parts/templates/editor-view.ts'
import { TemplatePill } from '../../../channels/parts/templates/status-pill.tsx'
import { MiniPhone } from '../../../channels/phone/mini-phone.tsx'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Field, FieldMessage } from '../../../ui/field.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import type { Choice, RenditionMode } from './family-form.ts'
import { LossChips } from './loss-chips.tsx'
import { PhonePlace } from './phone-place.tsx'
import { TemplateChoice } from './template-choice.tsx'
import { texts } from './texts.ts'
import type { EditedRendition } from './use-renditions.ts'

type RenditionPanelProps = {
  rendition: EditedRendition
  error: string | undefined
  onChoose: (patch: Partial<Choice>) => void
}

const modes: readonly { value: RenditionMode; label: string }[] = [
  { value: 'text', label: 'Shared text' },
  { value: 'own', label: 'Template' },
  { value: 'off', label: 'Off' },
]

const phoneScale = 0.58

/** What one channel sends, on its phone, with what it lacks. */
export function RenditionPanel({ rendition, error, onChoose }: RenditionPanelProps) {
  const { channel, choice, content, losses } = rendition
  const label = channelLabel(channel)
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-3 rounded-lg border border-border bg-card p-4">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h2 className="font-semibold">
          <ChannelMark channel={channel} />
        </h2>
        {content ? <TemplatePill look={content.look} /> : null}
      </div>
      <Segmented
        fill
        size="tool"
        label={`What ${label} sends`}
        value={choice.mode}
        onValueChange={(mode) => onChoose({ mode })}
        options={modes}
      />
      {choice.mode === 'own' ? <TemplateChoice rendition={rendition} onChoose={onChoose} /> : null}
      {choice.mode === 'text' ? <SharedText rendition={rendition} onChoose={onChoose} /> : null}
      {error ? <FieldMessage text={error} /> : null}
      {choice.mode === 'off' ? null : (
        <>
          <StoredFailure rendition={rendition} />
          <div className="flex justify-center">
            <Phone rendition={rendition} />
          </div>
          <div className="flex justify-center">
            <LossChips losses={losses} label={`Losses on ${label}`} />
          </div>
        </>
      )}
    </section>
  )
}

function StoredFailure({ rendition: { stored } }: { rendition: EditedRendition }) {
  if (!stored.error) return null
  if (stored.error.status === 404) return <Notice tone="care">{texts.unavailable}</Notice>
  return <Failure error={stored.error} onRetry={stored.refetch} />
}

function Phone({ rendition: { content, senders, stored, choice } }: { rendition: EditedRendition }) {
  const isPending = choice.templateId !== undefined && stored.isPending
  return (
    <PhonePlace scale={phoneScale} isPending={isPending}>
      {content ? <MiniPhone scale={phoneScale} message={content.messageOf(senders.all)} /> : null}
    </PhonePlace>
  )
}

type PartProps = Omit<RenditionPanelProps, 'error'>

/** The draft that follows the shared text, or the sender of the one that is to be written. */
function SharedText({ rendition, onChoose }: PartProps) {
  const { senders, stored, write } = rendition
  if (senders.error) return <Failure error={senders.error} />
  return (
    <>
      <StoredTemplate rendition={rendition} />
      {write === 'new' && stored.content ? <Notice tone="care">{texts.rewrites}</Notice> : null}
      {write === 'new' ? <SenderChoice rendition={rendition} onChoose={onChoose} /> : null}
    </>
  )
}

function StoredTemplate({ rendition: { choice, stored, write, screens } }: { rendition: EditedRendition }) {
  if (!stored.content || !choice.templateId) return null
  return (
    <p className="flex min-w-0 items-center gap-1 text-dense">
      <span className="shrink-0 text-muted-foreground">{write === 'new' ? 'Current:' : 'Template:'}</span>
      <AreaLink
        to={screens.editorPath}
        search={writeView(editorView, { templateId: choice.templateId })}
        className={`${linkClass} truncate`}
      >
        {stored.content.name}
      </AreaLink>
    </p>
  )
}

/** The sender of a new draft, if there is a choice; or how to get one. */
function SenderChoice({ rendition: { channel, senders, sender, renditions }, onChoose }: PartProps) {
  if (!sender) return senders.isPending ? null : <NoSender {...renditions.noSender} />
  if (senders.all.length === 1) return null
  return (
    <Field small label={`Sender on ${channelLabel(channel)}`}>
      <Select
        size="sm"
        value={sender.id}
        onValueChange={(senderId) => onChoose({ senderId })}
        options={senders.all.map(({ id, label }) => ({ value: id, label }))}
      />
    </Field>
  )
}

function NoSender({ text, to, action }: EditedRendition['renditions']['noSender']) {
  return (
    <Notice
      tone="info"
      actions={
        <Button asChild size="tool">
          <AreaLink to={to}>{action}</AreaLink>
        </Button>
      }
    >
      {text}
    </Notice>
  )
}
