import { useSyncExternalStore } from 'react'
import { toast } from './toast.tsx'

type Removal = {
  id: string
  /** 'Report deleted' */
  message: string
  name: string
  /** Makes the call, and reloads the lists. `isLeaving`: the page is being left, so the call has to outlive it. */
  commit: (isLeaving: boolean) => Promise<unknown>
}

const undoMs = 6000

const held = new Map<string, { removal: Removal; timer: ReturnType<typeof setTimeout> }>()
let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** Hides a record at once and deletes it after six seconds, in which a toast can undo it; at once if the page is left. */
export function holdRemoval(removal: Removal) {
  const { id, message, name } = removal
  if (hidden.has(id)) return
  held.set(id, { removal, timer: setTimeout(() => void remove(id, false), undoMs) })
  hide([...hidden, id])
  toast.plain(message, {
    id,
    description: name,
    duration: undoMs,
    action: { label: 'Undo', onClick: () => undo(id) },
  })
}

/** Records that are being deleted. */
export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore(listen, () => hidden)
}

function undo(id: string) {
  clearTimeout(held.get(id)?.timer)
  if (held.delete(id)) show(id)
}

/** After a failure the record is back, with the reason. */
async function remove(id: string, isLeaving: boolean) {
  const found = held.get(id)
  if (!found) return
  clearTimeout(found.timer)
  held.delete(id)
  toast.dismiss(id)
  try {
    await found.removal.commit(isLeaving)
  } catch (error) {
    toast.error(error instanceof Error ? error.message : 'Failed to delete')
  } finally {
    show(id)
  }
}

function show(id: string) {
  hide([...hidden].filter((other) => other !== id))
}

function hide(ids: readonly string[]) {
  hidden = new Set(ids)
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

if (typeof window !== 'undefined')
  window.addEventListener('pagehide', () => [...held.keys()].forEach((id) => void remove(id, true)))
