import { OctagonX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/plain-button.tsx'
import { texts } from './texts.ts'
import { writeClipboard } from '../lib/clipboard.ts'
import { nameTab } from '../lib/title.ts'

/** Shown after a rendering error, or if the code of a screen could not be loaded twice. */
export function ApplicationError({ error }: { error: unknown }) {
  const message = error instanceof Error && error.message ? error.message : texts.applicationError.unexpected
  const [copied, setCopied] = useState<'yes' | 'refused'>()
  useEffect(() => {
    nameTab(texts.applicationError.title)
  }, [])

  return (
    <main role="alert" className="grid min-h-dvh place-items-center p-6">
      <div className="flex max-w-110 flex-col items-center gap-2 text-center">
        <span className="mb-2 grid size-10 place-items-center rounded-lg bg-danger-muted text-danger-text">
          <OctagonX aria-hidden className="size-5" />
        </span>
        <h1 className="text-title font-semibold">{texts.applicationError.title}</h1>
        <p className="break-words text-muted-foreground">{message}</p>
        <div className="mt-4 flex gap-2">
          <Button variant="primary" autoFocus onClick={() => window.location.reload()}>
            {texts.applicationError.action}
          </Button>
          <Button
            variant="ghost"
            onClick={() =>
              void writeClipboard(detailsOf(error)).then(
                () => setCopied('yes'),
                () => setCopied('refused'),
              )
            }
          >
            {copied === 'yes' ? 'Copied' : copied === 'refused' ? 'The browser did not allow copying' : 'Copy details'}
          </Button>
        </div>
      </div>
    </main>
  )
}

function detailsOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${window.location.pathname}\n${new Date().toISOString()}\n${stack}`
}
