import { persistState, type Saving } from '../saved-state.ts'
import type { DirectorySnapshot } from './directory.ts'
import type { Rbm } from './rbm.ts'
import { resetRbm } from './reset-rbm.ts'

/** Restores the simulated RCS platforms from a file and keeps the file updated. */
export function persistRbm(rbm: Rbm, file: string): Saving {
  return persistState<DirectorySnapshot>({
    file,
    version: 1,
    snapshot: rbm.directory.snapshot,
    restore(saved) {
      rbm.directory.restore(saved)
      resetRbm(rbm)
    },
  })
}
