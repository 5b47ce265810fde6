import { Copy } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { copy } from '../../ui/copy.ts'
import { toast } from '../../ui/toast.tsx'

type CodeProps = {
  label: string
  text: string
  /** What is copied, if it is not what is shown. */
  raw?: string
}

/** A text in mono that can be copied. */
export function Code({ label, text, raw = text }: CodeProps) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-border bg-sunken">
      <figcaption className="flex min-h-9 items-center justify-between gap-2 border-b border-line pr-1.5 pl-3 text-caption text-muted-foreground">
        {label}
        <Button
          size="tool"
          variant="ghost"
          aria-label={`Copy ${label.toLowerCase()}`}
          onClick={() => copy(raw, () => toast.success('Copied'))}
        >
          <Copy aria-hidden /> Copy
        </Button>
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-90 overflow-auto p-3 font-mono text-caption leading-relaxed tracking-normal whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
    </figure>
  )
}

/** JSON with line breaks; another text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
