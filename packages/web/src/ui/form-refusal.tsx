import { Notice } from './notice.tsx'

/** Server error of a whole form, at its end; scrolled into view. */
export function FormRefusal({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <div ref={scrollIntoView}>
      <Notice tone="bad">{text}</Notice>
    </div>
  )
}

const scrollIntoView = (refusal: HTMLElement | null) => refusal?.scrollIntoView({ block: 'nearest' })
