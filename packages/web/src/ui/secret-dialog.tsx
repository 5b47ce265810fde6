import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { copy } from './copy.ts'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

export type ShownSecret = {
  title: string
  /** 'API key', and in short 'key'. */
  label: string
  noun: string
  secret: string
  /** Who can do what with it, and where to keep it. */
  advice: string
  /** What happens to the former one. */
  former?: string | undefined
}

type SecretDialogProps = { shown: ShownSecret; onClose: () => void }

/** Shows a secret once. It is closed only after the secret was copied or confirmed as stored. */
export function SecretDialog({ shown: { title, label, noun, secret, advice, former }, onClose }: SecretDialogProps) {
  const [hasCopied, setCopied] = useState(false)
  const [isStored, setStored] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const Icon = hasCopied ? Check : Copy

  function close() {
    if (hasCopied || isStored) onClose()
    else setAsked(true)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      width="medium"
      title={title}
      description="Copy it now. We cannot show it again."
      footer={
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pb-1">
        <div className="flex flex-col gap-3 rounded-lg border border-border bg-sunken p-3">
          <code aria-label={label} className="block font-mono text-dense leading-relaxed break-all select-all">
            {secret}
          </code>
          <Button size="sm" className="self-start" onClick={() => copy(secret, () => setCopied(true))}>
            <Icon aria-hidden /> {hasCopied ? 'Copied' : `Copy ${noun}`}
          </Button>
          <span role="status" className="sr-only">
            {hasCopied ? `${label} copied` : ''}
          </span>
        </div>
        <Notice tone="care">{advice}</Notice>
        {former ? <p className="text-muted-foreground">{former}</p> : null}
        <Checkbox label="I have stored it" checked={isStored} onChange={({ target }) => setStored(target.checked)} />
        {isAsked && !hasCopied && !isStored ? (
          <Notice tone="bad">Copy the {noun} first, or confirm that you have stored it.</Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
