import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { roleNames } from '../../lib/format.ts'
import { openAccount } from '../../lib/impersonation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ActionDialogProps } from './user-action.ts'

/** Opens another's account in a new tab; where the browser stops that, a link that works once. */
export function OpenAccountDialog({ user, onClose }: ActionDialogProps) {
  const [reason, setReason] = useState('')
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [address, setAddress] = useState<string>()

  async function open() {
    setPending(true)
    setProblem(undefined)
    try {
      const opened = await openAccount(user, { reason })
      if (opened.kind === 'opened') return onClose()
      setAddress(opened.address)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Impersonation failed')
    }
    return setPending(false)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Open ${user.name}`}
      description={`A new tab shows the product as this ${roleNames[user.type]} sees it, for up to an hour. The account is notified.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {address ? (
            <Button variant="primary" asChild>
              <a href={address} target="_blank" rel="opener" onClick={onClose}>
                <ExternalLink aria-hidden /> Follow the link
              </a>
            </Button>
          ) : (
            <Button variant="primary" loading={isPending} onClick={() => void open()}>
              <ExternalLink aria-hidden /> Open account
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div aria-hidden className="overflow-hidden rounded-md border-3 border-warning">
          <div className="bg-warning-muted px-3 py-1.5 text-caption text-warning-text">Viewing as {user.name}</div>
          <div className="h-8 bg-sunken" />
        </div>
        <Field label="Reason" hint="optional" help="Recorded in the audit log of both accounts.">
          <Input maxLength={300} value={reason} onChange={({ target }) => setReason(target.value)} />
        </Field>
        {address ? <Notice tone="care">Your browser blocked the new tab. This link works once.</Notice> : null}
        {problem ? <Notice tone="bad">{problem}</Notice> : null}
      </div>
    </Dialog>
  )
}
