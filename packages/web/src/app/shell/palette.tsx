import { loadCode } from '../../lib/load-code.ts'
import { lazy, Suspense } from 'react'

const PaletteDialog = lazy(async () => ({
  default: (await loadCode(() => import('./palette-dialog.tsx'))).PaletteDialog,
}))

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** The command palette; its code comes when it is first asked for. */
export function Palette({ open, onOpenChange }: PaletteProps) {
  if (!open) return null
  return (
    <Suspense>
      <PaletteDialog onClose={() => onOpenChange(false)} />
    </Suspense>
  )
}
