import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** The key that verifies Ed25519 signatures. It is not secret. */
export function PublicKeyDialog({ publicKey, onClose }: { publicKey: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="medium"
      title="Public key"
      description="Your server verifies requests with this key. It is not secret, and the endpoint’s details show it."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex pb-1">
        <Copyable text={publicKey} label="Copy public key" />
      </div>
    </Dialog>
  )
}
