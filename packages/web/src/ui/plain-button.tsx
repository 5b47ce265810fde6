import clsx from 'clsx'
import { cloneElement, isValidElement, type ComponentProps, type HTMLAttributes } from 'react'
import { useStillWorking } from '../lib/use-still-working.ts'
import { Spinner } from './spinner.tsx'

export const buttonVariants = {
  primary:
    'border-transparent bg-primary text-primary-foreground shadow-1 hover:bg-[color-mix(in_oklab,var(--primary)_88%,var(--background))] active:scale-98',
  outline: 'border-edge bg-card shadow-1 hover:bg-accent',
  ghost: 'border-transparent hover:bg-accent aria-expanded:bg-accent',
  destructive:
    'border-transparent bg-destructive text-destructive-foreground hover:bg-[color-mix(in_oklab,var(--destructive)_90%,black)]',
  bad: 'border-transparent text-danger-text hover:bg-danger-muted',
} as const

const sizes = {
  tool: 'h-7 px-2 gap-1 text-dense',
  sm: 'h-8 px-2.5 gap-1.5 text-dense',
  md: 'h-9 px-3.5 gap-1.5',
  lg: 'h-10 px-4 gap-2',
  /** For the bottom bar on phones. */
  dock: 'h-12 px-4 gap-2 flex-1',
} as const

export type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof buttonVariants
  size?: keyof typeof sizes
  /** Keeps label and width, shows a spinner, and ignores further presses. */
  loading?: boolean
  /** Ignores presses but keeps the focus, which `disabled` would drop. */
  'aria-disabled'?: boolean
  /** Applies its style to its only child, such as a link. */
  asChild?: boolean
}

export function Button({
  variant = 'outline',
  size = 'md',
  loading,
  asChild,
  className,
  children,
  ...rest
}: ButtonProps) {
  const isLong = useStillWorking(loading === true)
  const looks = {
    'data-variant': variant,
    className: clsx(
      'inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap select-none',
      'transition-[background-color,border-color,color,scale] duration-120 ease-out',
      'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:not-aria-busy:opacity-50 [&_svg:not([data-size])]:size-4',
      buttonVariants[variant],
      sizes[size],
      className,
    ),
  }
  if (asChild && isValidElement<HTMLAttributes<HTMLElement>>(children))
    return cloneElement(children, { ...rest, ...looks })
  return (
    <button
      type="button"
      aria-busy={loading || undefined}
      {...rest}
      aria-disabled={loading || rest['aria-disabled'] || undefined}
      {...looks}
      onClick={loading || rest['aria-disabled'] === true ? undefined : rest.onClick}
    >
      {loading ? <Spinner /> : null}
      {isLong ? <StillWorking /> : children}
    </button>
  )
}

/** Replaces the label after ten seconds. */
function StillWorking() {
  return <span data-still-working>Still working…</span>
}
