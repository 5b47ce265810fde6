import { Copy } from 'lucide-react'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { copy } from '../../ui/copy.ts'
import { toast } from '../../ui/toast.tsx'
import { texts } from '../texts.ts'

/** Shown for a module that the account may not use. */
export function AccessRestricted({ item, onClose }: { item: string | undefined; onClose: () => void }) {
  const user = useUser()

  function copyRequest() {
    const message = `Please turn on ${item} for the account ${user?.username} (${user?.email}).`
    copy(message, () => toast.success('Request message copied'))
  }
  return (
    <Dialog
      open={item !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={texts.accessRestricted}
      description={`Your account does not include ${item ?? 'this'}. Contact your account manager to get access.`}
      footer={
        <>
          <Button variant="ghost" onClick={copyRequest}>
            <Copy aria-hidden /> Copy request message
          </Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    />
  )
}
