import { useEffect, useRef, useState } from 'react'
import { cancelHeldSend, sendHeldNow, useHeldSend, type HeldSend } from '../lib/held-send.ts'
import { Button } from './button.tsx'
import { Kbd } from './kbd.tsx'
import { Spinner } from './spinner.tsx'

/** The pending send with its countdown: Escape or ⌘Z undoes it, Enter sends now; the bar takes the focus. Mounted once, in the shell. */
export function HeldSendBar() {
  const held = useHeldSend()
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (held?.phase !== 'holding') return undefined
    bar.current?.focus()
    function onKeyDown(event: KeyboardEvent) {
      const undo = event.key === 'Escape' || (event.code === 'KeyZ' && (event.metaKey || event.ctrlKey))
      // A key still held from the button before must not send.
      const now =
        event.key === 'Enter' &&
        !event.repeat &&
        !(event.target instanceof HTMLElement && event.target.closest('button, a, input, textarea, select'))
      if (!undo && !now) return
      event.preventDefault()
      event.stopPropagation()
      if (undo) cancelHeldSend()
      else void sendHeldNow()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [held?.phase])

  if (!held) return null
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label="Waiting to send"
      className="fixed bottom-20 left-1/2 z-60 flex min-h-14 max-w-[calc(100vw-32px)] -translate-x-1/2 animate-fade-in items-center gap-3 rounded-xl bg-primary py-2 pr-2 pl-3 text-primary-foreground shadow-3"
    >
      {held.phase === 'sending' ? (
        <>
          <Spinner className="size-6!" />
          <p role="status" className="pr-3 font-medium">
            {held.label}…
          </p>
        </>
      ) : (
        <Holding key={held.id} held={held} />
      )}
    </section>
  )
}

function Holding({ held }: { held: HeldSend }) {
  const left = useSecondsLeft(held.at)
  const spoken = left === held.seconds || left === 5 || left === 0
  return (
    <>
      <Ring share={left / held.seconds} number={left} />
      <p className="min-w-0 truncate font-medium">{held.label}</p>
      <span role="status" className="sr-only">
        {spoken ? `${held.label} in ${left} seconds. Escape cancels.` : ''}
      </span>
      <Button
        variant="ghost"
        size="sm"
        className="text-inherit hover:bg-[color-mix(in_oklab,var(--primary-foreground)_14%,transparent)]"
        onClick={() => void sendHeldNow()}
      >
        {held.action} <Kbd name="Enter" />
      </Button>
      <Button size="sm" className="text-foreground" onClick={cancelHeldSend}>
        Undo <Kbd name="Esc" />
      </Button>
    </>
  )
}

const radius = 14
const length = 2 * Math.PI * radius

function Ring({ share, number }: { share: number; number: number }) {
  return (
    <svg aria-hidden viewBox="0 0 36 36" className="size-9 shrink-0">
      <circle cx="18" cy="18" r={radius} fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="3" />
      <circle
        cx="18"
        cy="18"
        r={radius}
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray={length}
        strokeDashoffset={length * (1 - share)}
        transform="rotate(-90 18 18)"
        className="transition-[stroke-dashoffset] duration-1000 ease-linear"
      />
      <text x="18" y="22" textAnchor="middle" fill="currentColor" className="text-caption font-medium tabular-nums">
        {number}
      </text>
    </svg>
  )
}

function useSecondsLeft(at: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((at - now) / 1000))
}
