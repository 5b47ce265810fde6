import { brandContrast, leastContrast } from '@carillon/contract/contrast'
import { CircleCheck } from 'lucide-react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

type BrandColourProps = {
  theme: 'light' | 'dark'
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

const labels = { light: 'Colour', dark: 'Colour in the dark theme' } as const

/** A colour picker with hex field and contrast check. */
export function BrandColour({ theme, value, error, onChange }: BrandColourProps) {
  const isWhole = isColour(value)
  const fault = isWhole ? faultOf(value, theme) : undefined
  const verdict =
    isWhole && !fault ? (
      <span className="flex items-center gap-1 text-success-text">
        <CircleCheck aria-hidden className="size-3.5" /> Contrast {floor(brandContrast(value, theme))}, passes
      </span>
    ) : undefined
  return (
    <Field label={labels[theme]} error={fault ?? (verdict ? undefined : error)} help={verdict}>
      <Input
        mono
        maxLength={7}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value.trim().toLowerCase())}
        leading={
          <input
            type="color"
            aria-label={`Choose the ${labels[theme].toLowerCase()}`}
            value={isWhole ? value : '#000000'}
            onChange={({ target }) => onChange(target.value)}
            className="size-5 shrink-0 cursor-pointer appearance-none rounded-sm border-0 bg-transparent p-0 [&::-webkit-color-swatch]:rounded-sm [&::-webkit-color-swatch]:border-edge [&::-webkit-color-swatch-wrapper]:p-0"
          />
        }
      />
    </Field>
  )
}

export function isColour(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}

/** Undefined if the contrast is sufficient. */
function faultOf(colour: string, theme: 'light' | 'dark'): string | undefined {
  const contrast = brandContrast(colour, theme)
  if (contrast >= leastContrast) return undefined
  const way = theme === 'light' ? 'a darker one' : 'a lighter one'
  return `Contrast ${floor(contrast)}: at least ${leastContrast} is needed, choose ${way}`
}

/** Rounded down, because 4.46 rounded up would appear sufficient. */
function floor(contrast: number): string {
  return (Math.floor(contrast * 10) / 10).toFixed(1)
}
