import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { useFieldControl } from './field.tsx'

export const controlFrame =
  'rounded-md border border-input bg-card text-foreground has-[:focus-visible]:border-ring has-[:focus-visible]:outline-2 has-[:focus-visible]:-outline-offset-1 has-[:focus-visible]:outline-ring has-[[aria-invalid=true]]:border-destructive has-[:disabled]:opacity-60'

const heights = { tool: 'h-7 px-2 text-dense', sm: 'h-8 px-2 text-dense', md: 'h-9 px-2.5', lg: 'h-10 px-2.5' } as const

type InputProps = Omit<ComponentProps<'input'>, 'size'> & {
  size?: keyof typeof heights
  /** Before the text: an icon or a prefix such as ₹. */
  leading?: ReactNode
  trailing?: ReactNode
  invalid?: boolean
  mono?: boolean
}

export function Input({ size = 'md', leading, trailing, invalid, mono, className, id, ...rest }: InputProps) {
  const control = useFieldControl({ id, invalid })
  return (
    <span
      className={clsx(
        'flex w-full min-w-0 items-center gap-2 max-md:h-11 max-md:text-base pointer-coarse:h-11 [&>svg]:size-4 [&>svg]:text-muted-foreground',
        controlFrame,
        heights[size],
        className,
      )}
    >
      {leading}
      <input
        dir="auto"
        {...control}
        {...rest}
        className={clsx(
          'h-full min-w-0 flex-1 border-0 bg-transparent p-0 outline-none!',
          mono && 'font-mono tracking-normal',
        )}
      />
      {trailing}
    </span>
  )
}

type TextareaProps = ComponentProps<'textarea'> & { invalid?: boolean }

export function Textarea({ invalid, className, id, ...rest }: TextareaProps) {
  const control = useFieldControl({ id, invalid })
  return (
    <span className={clsx('block w-full', controlFrame)}>
      <textarea
        rows={4}
        dir="auto"
        {...control}
        {...rest}
        className={clsx(
          'block w-full resize-y bg-transparent px-2.5 py-2 leading-normal outline-none! max-md:text-base',
          className,
        )}
      />
    </span>
  )
}
