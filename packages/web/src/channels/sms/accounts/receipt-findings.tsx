import type { ReceiptFindings } from '@carillon/contract/senders'
import { countOf } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'

const formats: Record<NonNullable<ReceiptFindings['idFormat']>, string> = {
  same: 'Same as in the submit response',
  decimal: 'Decimal, hexadecimal in the submit response',
  hexadecimal: 'Hexadecimal, decimal in the submit response',
}

/** How the operator's delivery receipts write ids and times, and inconsistencies in them. */
export function ReceiptFindingsPanel({ receipts }: { receipts: ReceiptFindings }) {
  const { idFormat, utcOffset } = receipts
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2 text-dense">
        <Finding label="Message IDs in receipts">
          {idFormat
            ? `${formats[idFormat]}; learned from ${countReceipts(receipts.idReceipts)}`
            : 'Not known yet, learned from the next receipts'}
        </Finding>
        <Finding label="Time zone of receipts">
          {utcOffset
            ? `UTC${utcOffset}; learned from ${countReceipts(receipts.clockReceipts)}`
            : 'Not known yet, learned from the next receipts'}
        </Finding>
      </dl>
      {warnings(receipts).map((warning) => (
        <Notice key={warning} tone="care">
          {warning}
        </Notice>
      ))}
    </div>
  )
}

function Finding({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt className="text-muted-foreground">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const countReceipts = (count: number) => countOf(count, 'receipt', 'receipts')

function warnings({ idConflicts, otherNumbers, clock }: ReceiptFindings): string[] {
  return [
    idConflicts > 0 ? `${countReceipts(idConflicts)} wrote the message ID in another format.` : '',
    otherNumbers > 0
      ? `${countReceipts(otherNumbers)} named a known message ID with a different phone number and were not applied.`
      : '',
    clock === 'differs'
      ? 'The time zone of receipts differs from the one set for this account. Delivery times are corrected.'
      : '',
    clock === 'inconsistent' ? 'The clock in receipts is inconsistent. Delivery times may be wrong.' : '',
  ].filter((warning) => warning !== '')
}
