import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { copy } from '../../ui/copy.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

export type ShownSecret = { name: string; environment: ApiEnvironment; secret: string; graceUntil: string | null }

type SecretDialogProps = { shown: ShownSecret; onClose: () => void }

/** Shows the secret of a key, once. It is closed only after the secret was copied or confirmed as stored. */
export function SecretDialog({ shown: { name, environment, secret, graceUntil }, onClose }: SecretDialogProps) {
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
      title={`New key: ${name}`}
      description="Copy it now. We cannot show it again."
      footer={
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pb-1">
        <div className="flex flex-col gap-3 rounded-lg border border-border bg-sunken p-3">
          <code aria-label="API key" className="block font-mono text-dense leading-relaxed break-all select-all">
            {secret}
          </code>
          <Button size="sm" className="self-start" onClick={() => copy(secret, () => setCopied(true))}>
            <Icon aria-hidden /> {hasCopied ? 'Copied' : 'Copy key'}
          </Button>
          <span role="status" className="sr-only">
            {hasCopied ? 'API key copied' : ''}
          </span>
        </div>
        <Notice tone="care">
          {environment === 'live'
            ? 'Everyone who has this key can act as your account. Keep it on your server, never in a browser, an app or a repository.'
            : 'Everyone who has this key can read what your account can read. Keep it out of repositories.'}
        </Notice>
        {graceUntil ? (
          <p className="text-muted-foreground">The old secret works until {formatDateTime(graceUntil)}.</p>
        ) : null}
        <Checkbox label="I have stored it" checked={isStored} onChange={({ target }) => setStored(target.checked)} />
        {isAsked && !hasCopied && !isStored ? (
          <Notice tone="bad">Copy the key first, or confirm that you have stored it.</Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
