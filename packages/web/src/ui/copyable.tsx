import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copy } from './copy.ts'

/** An id in mono that a click copies. */
export function Copyable({ text, label = 'Copy id' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])

  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      aria-label={`${label} ${text}`}
      onClick={() => copy(text, () => setCopied(true))}
      className="-mx-1 inline-flex min-h-6 max-w-[calc(100%+8px)] items-center gap-1.5 rounded-sm px-1 font-mono text-dense tracking-normal hover:bg-accent"
    >
      <span className="truncate">{text}</span>
      <Icon aria-hidden className="size-3.5 text-muted-foreground" />
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  )
}
