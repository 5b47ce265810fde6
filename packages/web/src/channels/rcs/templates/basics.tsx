import type { BotChoice } from '@carillon/contract/channels/rcs/rcs-bots'
import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { RcsCategory, RcsTemplateType } from '@carillon/contract/channels/rcs/rcs-templates'
import { BadgeCheck } from 'lucide-react'
import { Field, FieldMessage } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { Count, type Problems } from '../../parts/templates/problems.tsx'
import { categoryHints, categoryLabels, typeLabels } from '../template-labels.tsx'
import { botOf, isVerified } from '../use-bots.ts'
import { emptyForm } from './form.ts'
import { FromLibrary } from './starter-dialog.tsx'
import type { RcsEditing } from './use-form.ts'

type BasicsProps = { editing: RcsEditing; bots: readonly BotChoice[]; problems: Problems }

const anyBot = ''

/** Bot, name, category and type of the template. */
export function RcsBasics({ editing, bots, problems }: BasicsProps) {
  const { form, change } = editing
  const { botId, name, category } = form.input
  const bot = botOf(bots, botId)
  const isKnown = botId === null || bot !== undefined
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <div data-field="botId">
          <Field
            label="Bot"
            error={problems('botId')}
            aside={
              bot && isVerified(bot) ? (
                <span className="flex items-center gap-1 text-success-text">
                  Verified <BadgeCheck aria-hidden className="size-3.5" />
                </span>
              ) : bot ? (
                'Not verified'
              ) : null
            }
          >
            <Select
              name="botId"
              value={botId ?? anyBot}
              onValueChange={(chosen) => change({ botId: chosen === anyBot ? null : chosen })}
              options={[
                { value: anyBot, label: 'Any bot' },
                ...bots.map((one) => ({ value: one.botId, label: one.name })),
                ...(isKnown ? [] : [{ value: botId, label: botId }]),
              ]}
            />
          </Field>
        </div>
        <div data-field="name">
          <Field label="Name" error={problems('name')} aside={<Count small text={name} most={rcsLimits.name} />}>
            <Input
              mono
              name="name"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              placeholder="festive_carousel"
              value={name}
              onChange={(event) => change({ name: event.target.value }, 'name')}
            />
          </Field>
        </div>
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <div data-field="category" className="flex flex-col gap-1.5">
          <span className="font-medium">Category</span>
          <Segmented
            fill
            label="Category"
            value={category}
            onValueChange={(next) => change({ category: next })}
            options={RcsCategory.options.map((value) => ({ value, label: categoryLabels[value] }))}
          />
          <p className="text-caption text-muted-foreground">{categoryHints[category]}</p>
        </div>
        <TypeChoice editing={editing} problem={problems('')} />
      </div>
    </div>
  )
}

type TypeChoiceProps = { editing: RcsEditing; problem: string | undefined }

/** The type of the message; for drafts, also examples to begin with. */
function TypeChoice({ editing: { form, change }, problem }: TypeChoiceProps) {
  const { botId, type } = form.input
  return (
    <div data-field="type" className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">Type</span>
        {form.status === 'DRAFT' ? (
          <FromLibrary onChoose={({ input }) => change({ ...emptyForm(botId).input, ...input, isFromLibrary: true })} />
        ) : null}
      </div>
      <Segmented
        fill
        label="Type"
        value={type}
        onValueChange={(next) => change({ type: next })}
        options={RcsTemplateType.options.map((value) => ({ value, label: typeLabels[value] }))}
      />
      {problem ? <FieldMessage text={problem} /> : null}
    </div>
  )
}
