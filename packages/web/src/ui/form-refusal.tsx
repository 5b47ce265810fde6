import { Notice } from './notice.tsx'

/** Why the server refused a whole form, at its end. Scrolled into view: the end of a long form is below its visible part. */
export function FormRefusal({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <div ref={scrollIntoView}>
      <Notice tone="bad">{text}</Notice>
    </div>
  )
}

const scrollIntoView = (refusal: HTMLElement | null) => refusal?.scrollIntoView({ block: 'nearest' })
