import { useBrand } from '../lib/brand.ts'
import { Logo } from './logo.tsx'

/** The mark with the name, at the head of public pages. */
export function BrandMark() {
  const brand = useBrand()
  return (
    <span className="flex min-h-7 items-center gap-2.5">
      <Logo large />
      <b className="text-section font-semibold tracking-[-0.014em]">{brand?.name}</b>
    </span>
  )
}
