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
import type { WizardState } from './use-wizard.ts'

type WizardRailProps = { wizard: WizardState; focused: string | undefined }

/** The phone of one recipient, on any of the channels, and the scrubber. */
export function WizardRail({ wizard, focused }: WizardRailProps) {
  const { channels, first, failover, recipient, counted, previewError } = wizard
  const firstChannel = channels.first.channel
  const [chosen, setChosen] = useState(firstChannel)
  const later = failover?.legs.filter(({ leg }) => leg.template) ?? []
  const { channel, leg, index } = later.find((one) => one.channel === chosen) ?? {
    channel: firstChannel,
    leg: first,
    index: 0,
  }
  return (
    <>
      <Scrubber wizard={wizard} />
      {previewError ? <Notice tone="care">{previewError.message}</Notice> : null}
      <ChannelChoice
        first={firstChannel}
        later={later.map((one) => one.channel)}
        value={channel}
        onChoose={setChosen}
      />
      <PhonePreview
        scale={0.778}
        message={leg.message(recipient)}
        instead={insteadOf(wizard, channel)}
        pricePerPart={counted?.legs[index]?.pricePerPart}
        {...leg.outlined(focused)}
      />
    </>
  )
}

type ChannelChoiceProps = {
  first: Channel
  later: readonly Channel[]
  value: Channel
  onChoose: (channel: Channel) => void
}

/** The leg shown on the phone. */
function ChannelChoice({ first, later, value, onChoose }: ChannelChoiceProps) {
  if (later.length === 0) return null
  const labelOf = (channel: Channel) => channelTraits[channel].label
  return (
    <div className="mb-3">
      <Segmented
        label="Channel on the phone"
        size="tool"
        value={value}
        onValueChange={onChoose}
        options={[
          { value: first, label: labelOf(first) },
          ...later.map((channel) => ({
            value: channel,
            label: later.length > 1 ? labelOf(channel) : `${labelOf(channel)}, if it fails`,
          })),
        ]}
      />
    </div>
  )
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
