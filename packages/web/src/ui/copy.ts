import { toast } from './toast.tsx'

/** To the clipboard; a browser may refuse, and over plain HTTP it has none. */
export function copy(text: string, done: () => void) {
  write(text).then(done, () => toast.error('The browser did not allow copying'))
}

async function write(text: string) {
  await navigator.clipboard.writeText(text)
}
