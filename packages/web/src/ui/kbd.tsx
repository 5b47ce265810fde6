import clsx from 'clsx'

/** One key. On a Mac `Mod` is ⌘, elsewhere Ctrl. */
export function Kbd({ name, className }: { name: string; className?: string }) {
  return (
    <kbd
      className={clsx(
        'inline-grid h-5 min-w-5 place-items-center rounded-sm border border-border bg-muted px-1 font-sans text-caption font-medium text-muted-foreground',
        className,
      )}
    >
      {keyLabel(name)}
    </kbd>
  )
}

export function Keys({ names, className }: { names: readonly string[]; className?: string }) {
  return (
    <span className="inline-flex gap-1" aria-hidden>
      {names.map((name) => (
        <Kbd key={name} name={name} {...(className ? { className } : {})} />
      ))}
    </span>
  )
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

function keyLabel(name: string): string {
  if (name === 'Mod') return isMac ? '⌘' : 'Ctrl'
  return name
}
