import clsx from 'clsx'
import { encode } from 'uqr'

/** Dark on light in both themes, as scanners expect. */
export function Qr({ text, label, className = 'size-48' }: { text: string; label: string; className?: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={clsx('rounded-md', className)}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
