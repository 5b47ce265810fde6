import type { Estimate, RecipientPreview } from '@carillon/contract/campaign-drafts'
import type { VariableSource } from '@carillon/contract/campaign-records'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { valueOf } from '@carillon/contract/variable-values'
import type { MessagePiece } from '../../../ui/phone/pieces.ts'
import type { Jump } from '../../../ui/recipient-scrubber.tsx'
import type { RowFacts, Shown, ShownRecipient } from '../../channel-campaigns.ts'
import { piecesOf } from '../phone/dlt-pieces.ts'
import type { SmsMessage } from '../phone/sms-message.ts'
import { senderName } from '../sender-name.ts'

type Filled = { template: SmsTemplate | undefined; sources: readonly VariableSource[] }

/** A recipient's message, rendered by the server, else in the browser; with sample values before there is a recipient. */
export function smsMessageOf({ template, sources }: Filled, recipient: ShownRecipient | undefined): SmsMessage {
  if (!template) return { channel: 'sms', sender: 'VM-HEADER', pieces: [] }
  const sender = senderName(template.header, template.category)
  const pieces =
    recipient && 'pieces' in recipient ? recipient.pieces.map(shown) : piecesFor(template, sources, recipient?.values)
  return { channel: 'sms', sender, pieces }
}

/** A missing value shows the variable's name in its place. */
function shown(piece: RecipientPreview['pieces'][number]): MessagePiece {
  return piece.missing ? { ...piece, text: piece.variable ?? '' } : piece
}

function piecesFor(
  { body, variables }: SmsTemplate,
  sources: readonly VariableSource[],
  cells: readonly string[] | undefined,
): MessagePiece[] {
  return piecesOf(
    body,
    variables.map(({ name, sample }, index) => ({ name, value: cells ? valueOf(sources[index], cells) : sample })),
  )
}

/** Parts and cost of the shown recipient's message, and notable rows. */
export function smsRowFacts({ recipient, estimate }: Shown): RowFacts {
  const preview = recipient && 'parts' in recipient ? recipient : undefined
  return {
    parts: preview?.parts,
    cost: preview?.cost,
    costlyRows: costlyRows(estimate),
    jumps: jumpsOf(estimate),
  }
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
