import type { Estimate, RecipientPreview } from '@carillon/contract/campaign-drafts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { senderName } from '../sender-name.ts'
import { Notice } from '../../../ui/notice.tsx'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import type { MessagePiece } from '../../../ui/phone/pieces.ts'
import { piecesOf } from '../phone/dlt-pieces.ts'
import type { SmsMessage } from '../phone/sms-message.ts'
import { RecipientScrubber, type Jump } from '../../../ui/recipient-scrubber.tsx'
import { personName } from '../../../features/campaigns/wizard/person-name.ts'
import type { SmsWizardState } from './use-sms-wizard.ts'

type SmsRailProps = { wizard: SmsWizardState; focused: string | undefined }

/** The phone of one real recipient, and the way to the others. */
export function SmsRail({ wizard, focused }: SmsRailProps) {
  const { template, previewError, counted } = wizard
  return (
    <>
      {template ? <Scrubber wizard={wizard} /> : null}
      {previewError ? <Notice tone="care">{previewError.message}</Notice> : null}
      <PhonePreview
        scale={0.778}
        message={messageOf(wizard)}
        pricePerPart={counted?.pricePerPart}
        focusedVariable={focused}
      />
    </>
  )
}

function Scrubber({ wizard }: { wizard: SmsWizardState }) {
  const { audience, preview, counted, seq, setSeq } = wizard
  const total = preview?.total ?? audience?.accepted ?? 0
  if (total === 0) return null
  return (
    <RecipientScrubber
      name={recipientName(wizard) ?? `Recipient ${seq + 1}`}
      row={seq}
      total={total}
      onRow={setSeq}
      parts={preview?.parts}
      cost={preview?.cost}
      costlyRows={costlyRows(counted)}
      jumps={jumpsOf(counted)}
    />
  )
}

function messageOf({ template, preview }: SmsWizardState): SmsMessage {
  if (!template) return { channel: 'sms', sender: 'VM-HEADER', pieces: [] }
  const sender = senderName(template.header, template.category)
  return { channel: 'sms', sender, pieces: preview ? preview.pieces.map(shown) : samplePieces(template) }
}

/** Who is on the phone. */
export function recipientName({ preview, audience }: SmsWizardState): string | undefined {
  return preview && personName({ columns: audience?.columns ?? [] }, preview.values, preview.phoneNumber)
}

/** A missing value shows the variable's name in its place. */
function shown(piece: RecipientPreview['pieces'][number]): MessagePiece {
  return piece.missing ? { ...piece, text: piece.variable ?? '' } : piece
}

function samplePieces({ body, variables }: SmsTemplate): MessagePiece[] {
  return piecesOf(
    body,
    variables.map(({ name, sample }) => ({ name, value: sample })),
  )
}

/** Shown only if complete: the first hundred of many would suggest that the rest is cheap. */
function costlyRows(estimate: Estimate | undefined): readonly number[] {
  return estimate && estimate.multipartSeqs.length === estimate.multipart ? estimate.multipartSeqs : []
}

function jumpsOf(estimate: Estimate | undefined): Jump[] {
  if (!estimate) return []
  const { longestSeq, cheapestSeq, multipart, missing, unicode, multipartSeqs, missingSeqs, unicodeSeqs } = estimate
  const longest = longestSeq === null ? [] : [longestSeq]
  return [
    {
      id: 'longest',
      label: 'Longest',
      ...(multipart > 0 ? { count: multipart } : {}),
      rows: multipart > 0 ? multipartSeqs : longest,
    },
    { id: 'missing', label: 'Missing', count: missing, rows: missingSeqs },
    { id: 'unicode', label: 'Unicode', count: unicode, rows: unicodeSeqs },
    { id: 'cheapest', label: 'Cheapest', rows: cheapestSeq === null ? [] : [cheapestSeq] },
  ]
}
