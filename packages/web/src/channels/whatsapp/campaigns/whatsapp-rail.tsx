import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { useState } from 'react'
import { senderName } from '../../sms/sender-name.ts'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import { piecesOf } from '../../sms/phone/dlt-pieces.ts'
import type { SmsMessage } from '../../sms/phone/sms-message.ts'
import type { WhatsappMessage } from '../phone/whatsapp-message.ts'
import { RecipientScrubber, type Jump } from '../../../ui/recipient-scrubber.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { personName } from '../../../features/campaigns/wizard/person-name.ts'
import type { WhatsappWizardState } from './use-whatsapp-wizard.ts'
import { filledMessage, valueOf } from './whatsapp-fill.ts'
import { slotsOf } from './whatsapp-slots.ts'

type WhatsappRailProps = { wizard: WhatsappWizardState; focused: string | undefined }

/** The phone of one real recipient, on either channel, and the way to the others. */
export function WhatsappRail({ wizard, focused }: WhatsappRailProps) {
  const [channel, setChannel] = useState<'whatsapp' | 'sms'>('whatsapp')
  const { template, smsTemplate } = wizard
  const isSms = channel === 'sms' && smsTemplate !== undefined
  const slot = template && slotsOf(template).find(({ id }) => id === focused)
  return (
    <>
      <Scrubber wizard={wizard} />
      {smsTemplate ? (
        <div className="mb-3">
          <Segmented
            label="Channel on the phone"
            size="tool"
            value={channel}
            onValueChange={setChannel}
            options={[
              { value: 'whatsapp', label: 'WhatsApp' },
              { value: 'sms', label: 'SMS, if it fails' },
            ]}
          />
        </div>
      ) : null}
      <PhonePreview
        scale={0.778}
        message={isSms ? smsMessageOf(wizard, smsTemplate) : whatsappMessageOf(wizard)}
        pricePerPart={wizard.counted?.failoverPricePerPart}
        focusedVariable={isSms ? focused : slot?.name}
        focusedPart={isSms ? undefined : slot?.part}
      />
    </>
  )
}

function Scrubber({ wizard }: { wizard: WhatsappWizardState }) {
  const { person, seq, setSeq, counted } = wizard
  if (!person) return null
  return (
    <RecipientScrubber
      name={rowName(wizard) ?? `Recipient ${seq + 1}`}
      row={seq}
      total={person.total}
      onRow={setSeq}
      cost={counted?.pricePerPart}
      jumps={jumpsOf(counted)}
    />
  )
}

function jumpsOf(counted: WhatsappWizardState['counted']): Jump[] {
  if (!counted || counted.missing === 0) return []
  return [{ id: 'missing', label: 'Missing', count: counted.missing, rows: counted.missingSeqs }]
}

/** Who is on the phone. */
export function rowName({ columns, person }: WhatsappWizardState): string | undefined {
  return person && personName({ columns }, person.values, person.phoneNumber)
}

/** The message of the shown row; with samples before there is one. */
export function whatsappMessageOf(wizard: WhatsappWizardState): WhatsappMessage {
  const { template, number, columns, person, mediaUrls, handle } = wizard
  const sender = number?.verifiedName ?? ''
  if (!template) return { channel: 'whatsapp', sender, pieces: [] }
  return filledMessage(template, {
    values: handle.draft.values,
    columns,
    row: person?.values ?? 'samples',
    sender,
    mediaUrls,
  })
}

/** The SMS of the same row. */
export function smsMessageOf(
  { handle: { draft }, person }: WhatsappWizardState,
  template: SmsTemplate | undefined,
): SmsMessage {
  if (!template) return { channel: 'sms', sender: 'VM-HEADER', pieces: [] }
  const row = person?.values
  const pieces = piecesOf(
    template.body,
    template.variables.map(({ name, sample }, index) => ({
      name,
      value: row ? valueOf(draft.smsCustomParams[index], row) : sample,
    })),
  )
  return { channel: 'sms', sender: senderName(template.header, template.category), pieces }
}
