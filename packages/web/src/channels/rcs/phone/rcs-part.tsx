import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { MessagePart } from '../../../ui/phone/pieces.ts'

export type RcsTouch = {
  /** The part whose field has the focus, outlined. */
  focusedPart?: MessagePart | undefined
  focusedVariable?: string | undefined
  onVariable?: ((variable: string) => void) | undefined
  /** Called when a part is pressed, to focus its field. */
  onPart?: ((part: MessagePart) => void) | undefined
}

type PartProps = Pick<RcsTouch, 'focusedPart' | 'onPart'> & {
  part: MessagePart
  className: string
  children: ReactNode
}

/** A part of the message that belongs to a field of the editor. */
export function Part({ part, className, focusedPart, onPart, children }: PartProps) {
  return (
    <div
      dir="auto"
      className={clsx(className, focusedPart === part && 'phone-hit')}
      onClick={onPart ? () => onPart(part) : undefined}
    >
      {children}
    </div>
  )
}
