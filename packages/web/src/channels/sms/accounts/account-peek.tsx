import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { LanePanel } from './lane-panel.tsx'
import { ReceiptFindingsPanel } from './receipt-findings.tsx'
import { TestSend } from './test-send.tsx'

type AccountPeekProps = { account: SmsAccount; canEdit: boolean; onEdit: () => void; onClose: () => void }

/** Account details: live connection, test message, and callback URLs. */
export function AccountPeek({ account, canEdit, onEdit, onClose }: AccountPeekProps) {
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={account.name}
      actions={
        canEdit ? (
          <Button size="sm" onClick={onEdit}>
            <Pencil aria-hidden /> Edit
          </Button>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-6 p-5">
        <Block title="Connection">
          <LanePanel state={account.state} />
        </Block>
        {account.receipts ? (
          <Block title="Delivery receipts">
            <ReceiptFindingsPanel receipts={account.receipts} />
          </Block>
        ) : null}
        <Block title="Send me a test">
          <TestSend account={account} />
        </Block>
        {account.callbackUrl ? (
          <Block title="Callback URLs">
            <p className="text-dense text-muted-foreground">
              Enter these at the operator for delivery reports and inbound messages.
            </p>
            <Copyable text={`${account.callbackUrl}/report`} label="Copy the report URL" />
            <Copyable text={`${account.callbackUrl}/inbound`} label="Copy the inbound URL" />
          </Block>
        ) : null}
      </div>
    </Sheet>
  )
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <h3 className="text-section font-semibold">{title}</h3>
      {children}
    </section>
  )
}
