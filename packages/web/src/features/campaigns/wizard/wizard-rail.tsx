import { letterOfVariant, positionOfVariant } from '@carillon/contract/variant-positions'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { useState } from 'react'
import type { PhoneMessage } from '../../../channels/phone/phone-message.ts'
import { PhonePreview } from '../../../channels/phone/phone-preview.tsx'
import { countOf, formatCount, formatUnitPrice } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { RecipientScrubber } from '../../../ui/recipient-scrubber.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { hasCondition } from '../failover/failover-labels.ts'
import type { WizardLeg } from './use-legs.ts'
import type { WizardState } from './use-wizard.ts'

type WizardRailProps = { wizard: WizardState; focused: string | undefined }

/** The phone of one recipient, with any of the messages, and the scrubber. */
export function WizardRail({ wizard, focused }: WizardRailProps) {
  const { recipient, counted, previewError } = wizard
  const { messages, shown, choose } = useShownMessage(wizard)
  const { channel, leg, position } = shown
  return (
    <>
      <Scrubber wizard={wizard} />
      {previewError ? <Notice tone="care">{previewError.message}</Notice> : null}
      {messages.length > 1 ? (
        <div className="mb-3">
          <Segmented
            label="Message on the phone"
            size="tool"
            value={shown.value}
            onValueChange={choose}
            options={messages.map(({ value, label, name }) => ({ value, label, ...(name ? { name } : {}) }))}
          />
        </div>
      ) : null}
      <PhonePreview
        scale={0.778}
        message={leg.message(recipient)}
        instead={insteadOf(wizard, channel)}
        pricePerPart={counted?.legs.find((one) => one.leg === position)?.pricePerPart}
        {...leg.outlined(focused)}
      />
    </>
  )
}

type ShownMessage = Pick<WizardLeg, 'channel' | 'leg'> & {
  value: string
  label: string
  /** Accessible name, if the label is only a letter. */
  name?: string
  /** In the estimate. */
  position: number
}

/** The message on the phone: the one of the test whose choices are shown, until another one is chosen here. */
function useShownMessage(wizard: WizardState) {
  const { test, failover } = wizard
  const [chosen, setChosen] = useState<{ later: string; at: number }>()
  const first = firstMessages(wizard)
  const later = laterMessages(wizard)
  const found = chosen?.at === test.shown ? later.find(({ value }) => value === chosen.later) : undefined
  const shown = found ?? first[test.shown] ?? first[0]
  return {
    messages: [...first, ...later],
    shown,
    choose(value: string) {
      const variant = first.findIndex((one) => one.value === value)
      if (variant >= 0) test.show(variant)
      setChosen(variant < 0 && failover ? { later: value, at: test.shown } : undefined)
    },
  }
}

/** The messages that recipients begin with: one, or those of the test. */
function firstMessages({ channels, first, test }: WizardState): [ShownMessage, ...ShownMessage[]] {
  const { channel } = channels.first
  const own = { channel, leg: first, value: 'first', position: positionOfVariant(0) }
  if (!test.isOn) return [{ ...own, label: channelTraits[channel].label }]
  return [
    { ...own, label: letterOfVariant(0), name: `Message ${letterOfVariant(0)}` },
    ...test.variants.map(({ channel: its, leg, letter, variant }) => ({
      channel: its,
      leg,
      value: letter,
      label: letter,
      name: `Message ${letter}`,
      position: positionOfVariant(variant),
    })),
  ]
}

function laterMessages({ handle, failover }: WizardState): ShownMessage[] {
  const later = failover?.legs.filter(({ leg }) => leg.template) ?? []
  return later.map(({ channel, leg, chosen }) => {
    const { label } = channelTraits[channel]
    return {
      channel,
      leg,
      value: channel,
      label: later.length > 1 ? label : `${label}, if it fails`,
      position: handle.draft.legs.indexOf(chosen),
    }
  })
}

/** The message that a person without the channel gets: the one of the leg that follows, if it is sent to them. */
function insteadOf({ failover, recipient }: WizardState, channel: Channel): PhoneMessage | null {
  const next = failover?.legs.find(({ chosen, before }) => chosen.isEnabled && before === channel)
  const isSent = next && hasCondition(next.chosen.entryConditions, 'not_reachable_on_channel')
  return isSent ? next.leg.message(recipient) : null
}

function Scrubber({ wizard }: { wizard: WizardState }) {
  const { first, audience, recipient, recipientName, counted, seq, setSeq } = wizard
  const facts = first.rowFacts({ recipient, estimate: counted })
  const total = recipient?.total ?? audience?.accepted ?? 0
  if (!facts || total === 0) return null
  return (
    <RecipientScrubber
      name={recipientName ?? `Recipient ${seq + 1}`}
      row={seq}
      total={total}
      onRow={setSeq}
      {...facts}
    />
  )
}

/** 'Row 3 · 2 parts · ₹0.36': the message on the phone. */
export function railCaption({ first, recipient, counted }: WizardState): string | undefined {
  if (!recipient) return undefined
  const { parts, cost } = first.rowFacts({ recipient, estimate: counted }) ?? {}
  return [
    `Row ${formatCount(recipient.seq + 1)}`,
    ...(parts === undefined ? [] : [countOf(parts, 'part')]),
    ...(cost === undefined || cost === null ? [] : [formatUnitPrice(cost)]),
  ].join(' · ')
}
