import { ToggleGroup } from 'radix-ui'
import clsx from 'clsx'
import type { ReactNode } from 'react'

type SegmentedProps<Value extends string> = {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode; name?: string }[]
  size?: 'tool' | 'md'
  /** Segments share the width evenly. */
  fill?: boolean
}

export function Segmented<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  size = 'md',
  fill,
}: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next)
        if (chosen) onValueChange(chosen.value)
      }}
      className={clsx(
        'gap-0.5 rounded-md bg-secondary p-0.5',
        fill ? 'flex w-full' : 'inline-flex',
        size === 'tool' ? 'h-7' : 'h-8',
      )}
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          aria-label={option.name}
          className={clsx(
            'inline-flex min-w-7 items-center justify-center gap-1.5 rounded-sm font-medium whitespace-nowrap text-muted-foreground [&_svg]:size-4',
            'hover:text-foreground data-[state=on]:bg-card data-[state=on]:text-foreground data-[state=on]:shadow-[0_1px_2px_oklch(0.2_0.02_240/0.12)] dark:data-[state=on]:bg-raised dark:data-[state=on]:shadow-none',
            size === 'tool' ? 'px-2 text-caption' : 'px-2.5 text-dense',
            fill && 'flex-1',
          )}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
