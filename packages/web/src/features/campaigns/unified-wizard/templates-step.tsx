import type { Channel } from '@carillon/contract/channels'
import type { TemplateFamily } from '@carillon/contract/template-families'
import { useState } from 'react'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { MiniPhone } from '../../../channels/phone/mini-phone.tsx'
import { mayCall } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { TestedBelow } from '../ab-tests/tested-messages.tsx'
import { NothingToFill } from '../wizard/nothing-to-fill.tsx'
import type { WizardLeg } from '../wizard/use-legs.ts'
import type { WizardState } from '../wizard/use-wizard.ts'

const FamilyDialog = lazyDialog(() => import('./family-dialog.tsx').then((code) => code.FamilyDialog))

type TemplatesStepProps = {
  wizard: WizardState
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

/** Template and values of every message, each with its own phone. */
export function TemplatesStep({ wizard, ...rest }: TemplatesStepProps) {
  const { legs } = wizard
  const [isChoosing, setChoosing] = useState(false)

  function pickAll({ renditions }: TemplateFamily) {
    setChoosing(false)
    for (const leg of legs) {
      const rendition = renditions.find(({ channel }) => channel === leg.channel)
      if (rendition) leg.pick(rendition.templateId)
    }
  }
  return (
    <div className="flex flex-col gap-8">
      {mayCall('families.list') ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-y border-border py-3">
          <p className="min-w-0 flex-1 text-dense text-muted-foreground">
            A template family has the same message for every channel.
          </p>
          <Button size="sm" onClick={() => setChoosing(true)}>
            Use a template family…
          </Button>
        </div>
      ) : null}
      {legs.map((leg, index) => (
        <LegTemplate key={leg.channel} wizard={wizard} leg={leg} index={index} {...rest} />
      ))}
      <TestedBelow wizard={wizard} {...rest} />
      {isChoosing ? (
        <FamilyDialog
          channels={legs.map(({ channel }) => channel)}
          onChoose={pickAll}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </div>
  )
}

type LegTemplateProps = TemplatesStepProps & { leg: WizardLeg; index: number }

function LegTemplate({ wizard, leg: { channel, leg }, index, onStep, onFocus }: LegTemplateProps) {
  const { recipient, legs } = wizard
  const { template } = leg
  const [isChanging, setChanging] = useState(false)
  const titleId = `leg-${channel}`
  const next = legs[index + 1]
  const isOpen = !template || isChanging
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <LegHead id={titleId} channel={channel} name={template?.name} isChanging={isChanging} onChanging={setChanging} />
      <div className={isOpen ? undefined : 'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-6 max-md:grid-cols-1'}>
        <div className="flex min-w-0 flex-col gap-5">
          {isOpen ? leg.templateStep(undefined, 'templates') : null}
          {isOpen ? null : <Values wizard={wizard} leg={leg} onStep={onStep} onFocus={onFocus} />}
          {next && template && leg.variables.length > 0 ? (
            <p className="text-dense text-muted-foreground">
              A person without a value here gets the {channelLabel(next.channel)} message instead.
            </p>
          ) : null}
        </div>
        {isOpen ? null : (
          <figure aria-label={`The ${channelLabel(channel)} message`} className="max-md:justify-self-center">
            <MiniPhone scale={0.44} message={leg.message(recipient)} />
          </figure>
        )}
      </div>
    </section>
  )
}

type LegHeadProps = {
  id: string
  channel: Channel
  /** Of the chosen template. */
  name: string | undefined
  isChanging: boolean
  onChanging: (isChanging: boolean) => void
}

function LegHead({ id, channel, name, isChanging, onChanging }: LegHeadProps) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border pb-2">
      <h2 id={id} className="text-section font-semibold">
        <ChannelMark channel={channel} large />
      </h2>
      <span className="min-w-0 flex-1 truncate text-dense text-muted-foreground">{name ?? 'No template chosen'}</span>
      {name === undefined ? null : (
        <Button
          size="tool"
          aria-label={isChanging ? `Keep ${name}` : `Change the ${channelLabel(channel)} template`}
          onClick={() => onChanging(!isChanging)}
        >
          {isChanging ? 'Keep' : 'Change'}
        </Button>
      )}
    </div>
  )
}

type ValuesProps = TemplatesStepProps & { leg: WizardLeg['leg'] }

function Values({ wizard: { audience }, leg, onStep, onFocus }: ValuesProps) {
  if (!audience) return <NothingToFill lacks="audience" onStep={onStep} />
  return (
    leg.valuesStep({ audience, onFocus }) ?? (
      <p className="text-dense text-muted-foreground">No variables: everyone gets the same text.</p>
    )
  )
}
