/** States of a form that undo and redo return to; the newest state before the present one is last. */
export type History<State> = { past: readonly State[]; present: State; future: readonly State[]; group?: string }

const mostStates = 200

export function beginHistory<State>(present: State): History<State> {
  return { past: [], present, future: [] }
}

/** Consecutive changes of one group, such as typing in a field, are one step. */
export function record<State>(history: History<State>, present: State, group?: string): History<State> {
  const { past, present: before, group: lastGroup } = history
  if (present === before) return history
  const isSameStep = group !== undefined && group === lastGroup && past.length > 0
  const states = isSameStep ? past : [...past, before].slice(-mostStates)
  return { past: states, present, future: [], ...(group === undefined ? {} : { group }) }
}

export function undo<State>({ past, present, future }: History<State>): History<State> {
  const before = past.at(-1)
  if (before === undefined) return { past, present, future }
  return { past: past.slice(0, -1), present: before, future: [present, ...future] }
}

export function redo<State>({ past, present, future }: History<State>): History<State> {
  const [next, ...rest] = future
  if (next === undefined) return { past, present, future }
  return { past: [...past, present], present: next, future: rest }
}
