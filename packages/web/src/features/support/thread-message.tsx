import type { SupportMessage } from '@carillon/contract/support'
import clsx from 'clsx'
import { EyeOff } from 'lucide-react'
import { When } from '../../ui/text.tsx'

type ThreadMessageProps = {
  message: SupportMessage
  /** Messages of the own side are right-aligned. */
  isOwnSide: boolean
}

export function ThreadMessage({ message, isOwnSide }: ThreadMessageProps) {
  const { author, direction, visibility, body, createdAt } = message
  if (direction === 'system') {
    return (
      <li className="text-center text-caption text-muted-foreground">
        {body} · <When at={createdAt} />
      </li>
    )
  }
  const isNote = visibility === 'internal'
  return (
    <li className={clsx('flex max-w-[88%] flex-col gap-1', isOwnSide ? 'items-end self-end' : 'self-start')}>
      <p className="flex items-center gap-1.5 text-caption text-muted-foreground">
        {isNote ? (
          <span className="inline-flex items-center gap-1 font-medium text-warning-text">
            <EyeOff aria-hidden className="size-3" /> Note
          </span>
        ) : null}
        <b className="text-foreground">{author.name}</b>
        <When at={createdAt} />
      </p>
      <div
        className={clsx(
          'rounded-lg border px-3 py-2 leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap',
          isNote && 'border-[color-mix(in_oklab,var(--warning)_30%,transparent)] bg-warning-muted text-warning-text',
          !isNote && isOwnSide && 'border-transparent bg-brand-muted text-foreground',
          !isNote && !isOwnSide && 'border-border bg-background',
        )}
      >
        {body}
      </div>
    </li>
  )
}
