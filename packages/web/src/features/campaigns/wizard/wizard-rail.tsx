import { channelTraits } from '@carillon/contract/channels/table'
import { useState } from 'react'
import { PhonePreview } from '../../../channels/phone/phone-preview.tsx'
import { countOf, formatCount, formatUnitPrice } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { RecipientScrubber } from '../../../ui/recipient-scrubber.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { WizardState } from './use-wizard.ts'

type WizardRailProps = { wizard: WizardState; focused: string | undefined }

/** The phone of one recipient, on either channel, and the scrubber. */
export function WizardRail({ wizard, focused }: WizardRailProps) {
  const [place, setPlace] = useState<Place>('first')
  const { channels, first, failover, recipient, counted, previewError } = wizard
  const next = failover?.leg.template ? failover : undefined
  const isNext = place === 'next' && next !== undefined
  const leg = isNext ? next.leg : first
  return (
    <>
      <Scrubber wizard={wizard} />
      {previewError ? <Notice tone="care">{previewError.message}</Notice> : null}
      {next ? (
        <div className="mb-3">
          <Segmented
            label="Channel on the phone"
            size="tool"
            value={place}
            onValueChange={setPlace}
            options={[
              { value: 'first', label: channelTraits[channels.first.channel].label },
              { value: 'next', label: `${channelTraits[next.channel].label}, if it fails` },
            ]}
          />
        </div>
      ) : null}
      <PhonePreview
        scale={0.778}
        message={leg.message(recipient)}
        pricePerPart={counted?.legs[isNext ? 1 : 0]?.pricePerPart}
        {...leg.outlined(focused)}
      />
    </>
  )
}

type Place = 'first' | 'next'

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
