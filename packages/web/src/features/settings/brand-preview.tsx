import { brandSurfaces } from '@carillon/contract/contrast'
import type { CSSProperties } from 'react'
import { brandTokens } from '../../lib/brand.ts'
import type { Theme } from '../../lib/theme.ts'
import { isColour } from './brand-colour.tsx'

type BrandPreviewProps = { name: string; logo: string | undefined; color: string; colorDark: string }

/** A page header, a selected row, a link and a badge, in both themes. */
export function BrandPreview({ name, logo, color, colorDark }: BrandPreviewProps) {
  return (
    <figure className="m-0 grid grid-cols-2 gap-4 max-md:grid-cols-1" aria-label="How it looks">
      <Sample theme="light" colour={color} name={name} logo={logo} />
      <Sample theme="dark" colour={colorDark} name={name} logo={logo} />
    </figure>
  )
}

const inks: Record<Theme, { text: string; quiet: string; line: string }> = {
  light: { text: '#161c20', quiet: '#5d666c', line: '#dfe4e6' },
  dark: { text: '#eef2f4', quiet: '#a3adb3', line: '#2b3338' },
}

type SampleProps = { theme: Theme; colour: string; name: string; logo: string | undefined }

function Sample({ theme, colour, name, logo }: SampleProps) {
  const { text, quiet, line } = inks[theme]
  const tokens = isColour(colour) ? brandTokens(colour, theme) : {}
  const style: CSSProperties = {
    ...tokens,
    background: brandSurfaces[theme].surface,
    color: text,
    borderColor: line,
  }
  return (
    <div className="flex flex-col gap-3 rounded-lg border p-4" style={style}>
      <div className="flex items-center gap-2.5">
        {logo ? (
          <img src={logo} alt="" className="size-7 rounded-[7px] object-contain" />
        ) : (
          <span className="grid size-7 place-items-center rounded-[7px] bg-brand font-semibold text-brand-foreground">
            {[...name.trim()][0]?.toUpperCase()}
          </span>
        )}
        <b className="truncate text-section font-semibold">{name}</b>
      </div>
      <span className="rounded-md bg-brand-muted px-2 py-1.5 font-medium text-brand-text">Selected row</span>
      <div className="flex items-center justify-between gap-3 text-dense">
        <span className="text-brand-text underline underline-offset-3">A link</span>
        <span className="rounded-md bg-brand px-3 py-1.5 font-medium text-brand-foreground">Mark</span>
      </div>
      <p className="text-caption" style={{ color: quiet }}>
        {theme === 'light' ? 'Light theme' : 'Dark theme'}
      </p>
    </div>
  )
}
