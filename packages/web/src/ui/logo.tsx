import clsx from 'clsx'
import { useBrand } from '../lib/brand.ts'

/** The brand's logo, else the first letter of its name; the default logo for the product itself. */
export function Logo({ large }: { large?: boolean }) {
  const brand = useBrand()
  const size = large ? 'size-7 rounded-[7px]' : 'size-6 rounded-[6px]'
  if (!brand) return <span className={clsx('shrink-0', size)} />
  // The name is next to it.
  if (brand.logo) return <img src={brand.logo} alt="" className={clsx('shrink-0 object-contain', size)} />
  return (
    <span className={clsx('grid shrink-0 place-items-center bg-brand text-brand-foreground', size)}>
      {brand.isOwn ? <Bells className={large ? 'size-4.5' : 'size-4'} /> : <Letter name={brand.name} />}
    </span>
  )
}

function Letter({ name }: { name: string }) {
  return (
    <span aria-hidden className="text-dense leading-none font-semibold">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}

function Bells({ className }: { className: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      className={className}
    >
      <path d="M1.75 2.5h12.5M4 2.5v4M8 2.5v6.5M12 2.5v2.5" />
      <circle cx="4" cy="8.4" r="1.9" fill="currentColor" stroke="none" />
      <circle cx="8" cy="11.4" r="2.4" fill="currentColor" stroke="none" />
      <circle cx="12" cy="6.6" r="1.6" fill="currentColor" stroke="none" />
    </svg>
  )
}
