import type { ReactNode } from 'react'

type NameCellProps = { name: string; className: string; children: ReactNode }

/** The first column: the name, and below it the text or the reason it cannot be sent. */
export function NameCell({ name, className, children }: NameCellProps) {
  return (
    <div className={`min-w-0 ${className}`}>
      <b className="block truncate">{name}</b>
      {children}
    </div>
  )
}

/** The text of a template in one line. */
export function TextLine({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className="block truncate text-left text-caption text-muted-foreground">
      {children}
    </span>
  )
}

type RowCardProps = { name: string; status: ReactNode; caption: string; children: ReactNode }

/** A template in the list of a phone. */
export function RowCard({ name, status, caption, children }: RowCardProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <b className="min-w-0 flex-1 truncate">{name}</b>
        {status}
      </div>
      {children}
      <p className="text-caption text-muted-foreground tabular-nums">{caption}</p>
    </div>
  )
}
