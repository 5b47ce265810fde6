import type { ReactNode } from 'react'

type SettingRowProps = { title: string; detail: string; children: ReactNode }

/** A setting in one line: title, description, control. */
export function SettingRow({ title, detail, children }: SettingRowProps) {
  return (
    <div className="flex min-h-16 flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-3 last:border-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{title}</p>
        <p className="text-dense text-muted-foreground">{detail}</p>
      </div>
      {children}
    </div>
  )
}
