import clsx from 'clsx'
import type { ReactNode } from 'react'
import { buttonVariants, type ButtonProps } from './plain-button.tsx'
import { Spinner } from './spinner.tsx'
import { Tooltip } from './tooltip.tsx'

// In a file of its own, so that the login page does not load tooltips.
export { Button } from './plain-button.tsx'

const squares = { tool: 'size-7', sm: 'size-8', md: 'size-9', lg: 'size-10', dock: 'size-12' } as const

type IconButtonProps = Omit<ButtonProps, 'asChild'> & {
  /** Accessible name and tooltip. */
  label: string
  /** Shortcut shown in the tooltip. */
  keys?: readonly string[]
  children: ReactNode
}

export function IconButton({
  label,
  keys,
  variant = 'ghost',
  size = 'md',
  className,
  loading,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={label} {...(keys ? { keys } : {})}>
      <button
        type="button"
        aria-label={label}
        aria-busy={loading || undefined}
        {...rest}
        onClick={rest['aria-disabled'] === true ? undefined : rest.onClick}
        className={clsx(
          'inline-flex shrink-0 items-center justify-center rounded-md border transition-colors duration-120',
          'disabled:cursor-not-allowed disabled:opacity-40 aria-disabled:cursor-not-allowed aria-disabled:opacity-40 [&_svg:not([data-size])]:size-4',
          buttonVariants[variant],
          variant === 'ghost' && 'text-muted-foreground hover:text-foreground',
          squares[size],
          className,
        )}
      >
        {loading ? <Spinner /> : children}
      </button>
    </Tooltip>
  )
}
