import type { SmsTemplate } from '@carillon/contract/templates'
import { useState } from 'react'
import { senderName } from '../../../channels/sms/sender-name.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { PhonePreview } from '../../../ui/phone/phone-preview.tsx'
import { piecesOf } from '../../../ui/phone/pieces.ts'
import type { SmsMessage } from '../../../ui/phone/sms-screen.tsx'
import type { WhatsappMessage } from '../../../ui/phone/whatsapp-message.ts'
import { RecipientScrubber, type Jump } from '../../../ui/recipient-scrubber.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { personName } from '../wizard/person-name.ts'
import type { WhatsappWizardState } from './use-whatsapp-wizard.ts'
import { filledMessage, rowsWithoutValue, valueOf } from './whatsapp-fill.ts'
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
  const { audience, rows, seq, setSeq, counted } = wizard
  if (!audience || rows.length === 0) return null
  return (
    <>
      <RecipientScrubber
        name={rowName(wizard) ?? `Recipient ${seq + 1}`}
        row={Math.min(seq, rows.length - 1)}
        total={rows.length}
        onRow={setSeq}
        cost={counted?.pricePerPart}
        jumps={jumpsOf(wizard)}
      />
      {audience.total > rows.length ? (
        <p className="-mt-2 mb-3 text-center text-caption text-muted-foreground tabular-nums">
          The first {countOf(rows.length, 'row')} of {formatCount(audience.total)}
        </p>
      ) : null}
    </>
  )
}

function jumpsOf({ template, handle: { draft }, rows, counted }: WhatsappWizardState): Jump[] {
  if (!template) return []
  const empty = rowsWithoutValue(template, draft.values, rows)
  const count = counted?.missing ?? empty.length
  return count > 0 ? [{ id: 'missing', label: 'Missing', count, rows: empty }] : []
}

/** Who is on the phone. */
export function rowName({ audience, rows, seq }: WhatsappWizardState): string | undefined {
  const row = rows[seq]
  return audience && row && personName(audience, row, row[audience.mapping?.phoneColumn ?? 0] ?? '')
}

/** The message of the shown row; with samples before there is one. */
export function whatsappMessageOf(wizard: WhatsappWizardState): WhatsappMessage {
  const { template, number, audience, rows, seq, mediaUrls, handle } = wizard
  const sender = number?.verifiedName ?? ''
  if (!template) return { channel: 'whatsapp', sender, pieces: [] }
  return filledMessage(template, {
    values: handle.draft.values,
    columns: audience?.columns ?? [],
    row: rows[seq] ?? 'samples',
    sender,
    mediaUrls,
  })
}

/** The SMS of the same row. */
export function smsMessageOf(
  { handle: { draft }, rows, seq }: WhatsappWizardState,
  template: SmsTemplate | undefined,
): SmsMessage {
  if (!template) return { channel: 'sms', sender: 'VM-HEADER', pieces: [] }
  const row = rows[seq]
  const pieces = piecesOf(
    template.body,
    template.variables.map(({ name, sample }, index) => ({
      name,
      value: row ? valueOf(draft.smsCustomParams[index], row) : sample,
    })),
  )
  return { channel: 'sms', sender: senderName(template.header, template.category), pieces }
}
