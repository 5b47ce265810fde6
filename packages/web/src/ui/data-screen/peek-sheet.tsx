import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { IconButton } from '../button.tsx'
import { Sheet } from '../sheet.tsx'

export type Peek = {
  title: ReactNode
  /** The title as text. */
  name: string
  actions?: ReactNode
  footer?: ReactNode
  /** For content side by side. */
  isWide?: boolean
  body: ReactNode
}

type PeekSheetProps = {
  peek: Peek | undefined
  /** The row shown. */
  rowId: string | undefined
  onClose: () => void
  onStep: (step: 1 | -1) => void
}

/** Shows a row without leaving the list; arrows move to its neighbours. */
export function PeekSheet({ peek, rowId, onClose, onStep }: PeekSheetProps) {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (rowId !== undefined) shown.current = rowId
  }, [rowId])
  return (
    <Sheet
      open={peek !== undefined}
      onOpenChange={(open) => !open && onClose()}
      modal={false}
      width={peek?.isWide ? 'wide' : 'normal'}
      findRow={() => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(shown.current ?? '')}"]`)}
      title={peek?.title ?? ''}
      {...(peek ? { name: peek.name } : {})}
      footer={peek?.footer}
      actions={
        <>
          <IconButton label="Previous" size="sm" keys={['↑']} onClick={() => onStep(-1)} className="max-md:hidden">
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next" size="sm" keys={['↓']} onClick={() => onStep(1)} className="max-md:hidden">
            <ChevronDown aria-hidden />
          </IconButton>
          {peek?.actions}
        </>
      }
    >
      {peek?.body}
    </Sheet>
  )
}
