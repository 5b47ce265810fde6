import { useRef, useState, type PointerEvent } from 'react'

type Drag = { from: number; to: number; startY: number; offset: number }

/** Dragging the items of a vertical list by a handle, with mouse, pen or finger. */
export function useDragOrder(onMove: (from: number, to: number) => void) {
  const items = useRef(new Map<number, HTMLElement>())
  const [drag, setDrag] = useState<Drag>()

  /** The place among the other items whose middles are above the pointer. */
  function placeAt(y: number, from: number): number {
    return [...items.current]
      .filter(([index]) => index !== from)
      .filter(([, element]) => {
        const { top, height } = element.getBoundingClientRect()
        return top + height / 2 < y
      }).length
  }

  return {
    /** The dragged item, and the place it would be dropped at. */
    drag,
    itemRef: (index: number) => (element: HTMLElement | null) => {
      if (element) items.current.set(index, element)
      else items.current.delete(index)
    },
    handleProps: (index: number) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: index, to: index, startY: event.clientY, offset: 0 })
      },
      onPointerMove({ clientY }: PointerEvent<HTMLElement>) {
        setDrag((held) => held && { ...held, to: placeAt(clientY, held.from), offset: clientY - held.startY })
      },
      onPointerUp() {
        setDrag(undefined)
        if (drag && drag.to !== drag.from) onMove(drag.from, drag.to)
      },
      onPointerCancel: () => setDrag(undefined),
    }),
  }
}
