import { useSyncExternalStore } from 'react'

export type HeldSend = {
  id: string
  /** 'Sending to 12,480 people' */
  label: string
  /** Label of its button. */
  action: 'Send now' | 'Schedule now'
  /** When it is sent, in epoch milliseconds. */
  at: number
  seconds: number
  phase: 'holding' | 'sending'
}

type Holding = HeldSend & { commit: () => Promise<void>; onCancel?: () => void; timer: ReturnType<typeof setTimeout> }

let held: Holding | undefined
let shown: HeldSend | undefined
const listeners = new Set<() => void>()

type Hold = {
  id: string
  label: string
  /** Makes the call once the delay is over. */
  commit: () => Promise<void>
  onCancel?: () => void
  action?: HeldSend['action']
  seconds?: number
}

/** Delays a send, so that it can be undone. Survives navigation; closing the tab cancels it. */
export function holdSend({ id, label, commit, onCancel, action = 'Send now', seconds = 10 }: Hold) {
  cancelHeldSend()
  const timer = setTimeout(() => void sendHeldNow(), seconds * 1000)
  held = {
    id,
    label,
    action,
    commit,
    seconds,
    at: Date.now() + seconds * 1000,
    phase: 'holding',
    timer,
    ...(onCancel ? { onCancel } : {}),
  }
  announce()
}

export function cancelHeldSend() {
  if (held?.phase !== 'holding') return
  const { timer, onCancel } = held
  clearTimeout(timer)
  held = undefined
  announce()
  onCancel?.()
}

export async function sendHeldNow() {
  if (held?.phase !== 'holding') return
  const current = held
  clearTimeout(current.timer)
  held = { ...current, phase: 'sending' }
  announce()
  try {
    await current.commit()
  } finally {
    if (held?.id === current.id) held = undefined
    announce()
  }
}

/** The pending send, if any; one at a time. */
export function useHeldSend(): HeldSend | undefined {
  return useSyncExternalStore(listen, () => shown)
}

function announce() {
  shown = held && {
    id: held.id,
    label: held.label,
    action: held.action,
    at: held.at,
    seconds: held.seconds,
    phase: held.phase,
  }
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
