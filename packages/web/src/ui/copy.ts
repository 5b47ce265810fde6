import { writeClipboard } from '../lib/clipboard.ts'
import { toast } from './toast.tsx'

/** Copies to the clipboard; browsers may refuse. */
export function copy(text: string, done: () => void) {
  writeClipboard(text).then(done, () => toast.error('The browser did not allow copying'))
}
