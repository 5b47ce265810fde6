import type { Audience } from '@carillon/contract/audience'
import type { Estimate, RecipientPreview } from '@carillon/contract/campaign-drafts'
import type { SmsTemplate } from '@carillon/contract/templates'
import { senderName } from '../../../channels/sms/sender-name.ts'
import { formatPhone } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { PhonePreview } from '../../../ui/phone/phone-preview.tsx'
import { piecesOf, type MessagePiece } from '../../../ui/phone/pieces.ts'
import type { SmsMessage } from '../../../ui/phone/sms-screen.tsx'
import { RecipientScrubber, type Jump } from '../../../ui/recipient-scrubber.tsx'

type PreviewRailProps = {
  template: SmsTemplate | undefined
  audience: Audience | undefined
  preview: RecipientPreview | undefined
  error: Error | null | undefined
  estimate: Estimate | undefined
  seq: number
  onSeq: (seq: number) => void
  focused: string | undefined
}

/** The phone of one real recipient, and the way to the others. */
export function PreviewRail(props: PreviewRailProps) {
  const { template, preview, error, estimate, focused } = props
  return (
    <>
      {template ? <Scrubber {...props} /> : null}
      {error ? <Notice tone="care">{error.message}</Notice> : null}
      <PhonePreview
        scale={0.778}
        message={messageOf(template, preview)}
        pricePerPart={estimate?.pricePerPart}
        focusedVariable={focused}
      />
    </>
  )
}

function Scrubber({ audience, preview, estimate, seq, onSeq }: PreviewRailProps) {
  const total = preview?.total ?? audience?.accepted ?? 0
  if (total === 0) return null
  return (
    <RecipientScrubber
      name={recipientName(preview, audience) ?? `Recipient ${seq + 1}`}
      row={seq}
      total={total}
      onRow={onSeq}
      parts={preview?.parts}
      cost={preview?.cost}
      costlyRows={costlyRows(estimate)}
      jumps={jumpsOf(estimate)}
    />
  )
}

function messageOf(template: SmsTemplate | undefined, preview: RecipientPreview | undefined): SmsMessage {
  if (!template) return { channel: 'sms', sender: 'VM-HEADER', pieces: [] }
  const sender = senderName(template.header, template.category)
  return { channel: 'sms', sender, pieces: preview ? preview.pieces.map(shown) : samplePieces(template) }
}

/** A name from the file where there is one, else the number. */
export function recipientName(
  preview: RecipientPreview | undefined,
  audience: Audience | undefined,
): string | undefined {
  if (!preview) return undefined
  const column = audience?.columns.findIndex((name) => /name/i.test(name)) ?? -1
  return preview.values[column]?.trim() || formatPhone(preview.phoneNumber)
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

/** Only a whole list is drawn: the first hundred of many would say that the rest is cheap. */
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
