import clsx from 'clsx'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { useFieldControl } from './field.tsx'
import { controlFrame } from './input.tsx'
import { cutRuns, type Mark } from './phone/text-runs.ts'

type MarkedTextareaProps<Look extends string> = Omit<ComponentProps<'textarea'>, 'value' | 'ref' | 'children'> & {
  value: string
  /** Ranges drawn behind the text. */
  marks: readonly Mark<Look>[]
  /** Only tints and shadows: letters must align with those of the field. */
  looks: Record<Look, string>
  invalid?: boolean | undefined
  /** Inside the frame, above and under the text. */
  above?: ReactNode
  under?: ReactNode
  /** Receives the textarea, for insertion at its caret. */
  inputRef?: ((element: HTMLTextAreaElement | null) => void) | undefined
}

const type = 'px-3.5 pt-3 pb-3.5 font-sans text-[15px] leading-6.5 tracking-normal break-words whitespace-pre-wrap'

/** A textarea that highlights parts of the text while typing. */
export function MarkedTextarea<Look extends string>(props: MarkedTextareaProps<Look>) {
  const { value, marks, looks, invalid, above, under, inputRef, id, className, ...rest } = props
  const control = useFieldControl({ id, invalid })
  const backdrop = useRef<HTMLDivElement>(null)
  return (
    <div className={clsx('overflow-hidden rounded-lg', controlFrame)}>
      {above}
      <div className="relative">
        <div
          ref={backdrop}
          aria-hidden
          dir="auto"
          className={clsx('message-text absolute inset-0 overflow-hidden text-transparent', type)}
        >
          {cutRuns(value, marks).map((run) => (
            <span key={run.start} className={clsx(run.looks.map((look) => looks[look]))}>
              {run.text}
            </span>
          ))}
        </div>
        <textarea
          rows={4}
          dir="auto"
          {...control}
          {...rest}
          ref={inputRef}
          value={value}
          onScroll={(event) => {
            if (backdrop.current) backdrop.current.scrollTop = event.currentTarget.scrollTop
          }}
          className={clsx(
            'message-text scrollbar-none relative block field-sizing-content min-h-26 w-full resize-none bg-transparent outline-none!',
            type,
            className,
          )}
        />
      </div>
      {under}
    </div>
  )
}

/** All matches of a pattern, marked with one style. */
export function marksOfPattern<Look>(text: string, pattern: RegExp, look: Look): Mark<Look>[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, look }))
}
