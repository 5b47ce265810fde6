import type { BotChoice } from '@carillon/contract/channels/rcs/rcs-bots'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { BadgeCheck, GalleryHorizontalEnd } from 'lucide-react'
import { useApi } from '../../../lib/use-api.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/field.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Select } from '../../../ui/select.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import type { TemplateStepPart } from '../../channel-campaigns.ts'
import { NothingToChoose } from '../../parts/nothing-to-choose.tsx'
import { TemplatePicker, useTemplateSearch } from '../../parts/template-picker.tsx'
import { rcsTemplateScreens } from '../templates/screens.ts'
import { brandOf, isVerified, useRcsBots } from '../use-bots.ts'
import { RcsTemplateOption } from './rcs-template-option.tsx'

type RcsTemplateStepProps = {
  part: TemplateStepPart | undefined
  bots: readonly BotChoice[]
  bot: BotChoice | undefined
  templateId: string | null
  onBot: (bot: BotChoice) => void
  onTemplate: (template: RcsTemplate) => void
}

/** Choice of the bot and one of its templates. */
export function RcsTemplateStep({ part = 'all', bots, bot, templateId, onBot, onTemplate }: RcsTemplateStepProps) {
  const { isPending, error, retry } = useRcsBots()
  if (error) return <Failure error={error} onRetry={retry} />
  if (isPending) {
    return (
      <Loading label="Loading bots">
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  // Choosing a template chooses its bot; until then the first one is shown.
  const shown = bot ?? bots[0]
  if (!shown) {
    return (
      <NothingToChoose
        icon={GalleryHorizontalEnd}
        title="No RCS bot is ready"
        action="Open RCS"
        to="channels/rcs"
        isCompact={part !== 'all'}
      >
        Request a bot to continue.
      </NothingToChoose>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      {part === 'templates' ? null : <BotChooser bots={bots} shown={shown} onBot={onBot} />}
      {part === 'sender' ? null : <Templates bot={shown} templateId={templateId} onTemplate={onTemplate} />}
    </div>
  )
}

type BotChooserProps = Pick<RcsTemplateStepProps, 'bots' | 'onBot'> & { shown: BotChoice }

function BotChooser({ bots, shown, onBot }: BotChooserProps) {
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <Field label="Bot" className="w-80 max-md:w-full">
        <Select
          value={shown._id}
          onValueChange={(id) => {
            const chosen = bots.find(({ _id }) => _id === id)
            if (chosen) onBot(chosen)
          }}
          options={bots.map(({ _id, name }) => ({ value: _id, label: name }))}
        />
      </Field>
      <span className="flex h-9 items-center gap-2">
        {isVerified(shown) ? (
          <Pill tone="good" icon={BadgeCheck}>
            Verified
          </Pill>
        ) : (
          <Pill tone="care">Not verified: test devices only</Pill>
        )}
        {shown.isActive ? null : <Pill tone="bad">Inactive</Pill>}
      </span>
    </div>
  )
}

type TemplatesProps = { bot: BotChoice; templateId: string | null; onTemplate: (template: RcsTemplate) => void }

const gone: readonly RcsTemplate['status'][] = ['DELETED', 'PENDING_DELETION', 'ARCHIVED']

function Templates({ bot, templateId, onTemplate }: TemplatesProps) {
  const searching = useTemplateSearch()
  const { search } = searching
  const list = useApi(
    'rcsTemplates.list',
    { query: { limit: 100, ...(search ? { search } : {}) } },
    { keepPrevious: true },
  )
  // Templates without a bot can be sent by any.
  const templates = (list.data?.templates ?? []).filter(
    ({ status, botId }) => !gone.includes(status) && (botId === null || botId === bot.botId),
  )
  const shown = [
    ...templates.filter(({ status }) => status === 'APPROVED'),
    ...templates.filter(({ status }) => status !== 'APPROVED'),
  ]
  return (
    <TemplatePicker
      title="Templates"
      searching={searching}
      list={list}
      count={shown.length}
      none={
        <NothingToChoose
          icon={GalleryHorizontalEnd}
          title="No template for this bot yet"
          action="New RCS template"
          to={rcsTemplateScreens.editorPath}
        >
          RCS campaigns send a text, a card or a carousel.
        </NothingToChoose>
      }
    >
      {shown.map((template) => (
        <RcsTemplateOption
          key={template._id}
          template={template}
          brand={brandOf(bot)}
          isChosen={template._id === templateId}
          onChoose={() => onTemplate(template)}
        />
      ))}
    </TemplatePicker>
  )
}
