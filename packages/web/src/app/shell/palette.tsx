import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const PaletteDialog = lazyDialog(() => import('./palette-dialog.tsx').then((code) => code.PaletteDialog))

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** The command palette, loaded on first use. */
export function Palette({ open, onOpenChange }: PaletteProps) {
  return open ? <PaletteDialog onClose={() => onOpenChange(false)} /> : null
}
