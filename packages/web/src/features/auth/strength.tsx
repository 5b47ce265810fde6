import clsx from 'clsx'

const words = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const
const tones = ['bg-destructive', 'bg-destructive', 'bg-warning', 'bg-success', 'bg-success'] as const

/** Password strength as a word, not by colour alone. Length counts most. */
export function Strength({ password }: { password: string }) {
  if (password === '') return null
  const level = levelOf(password)
  return (
    <p className="-mt-3 flex items-center gap-2.5 text-caption text-muted-foreground" role="status">
      <span aria-hidden className="flex gap-1">
        {[1, 2, 3, 4].map((step) => (
          <i key={step} className={clsx('h-1 w-8 rounded-full', step <= level ? tones[level] : 'bg-track')} />
        ))}
      </span>
      {words[level]}
    </p>
  )
}

function levelOf(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password.length < 8) return 0
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const varied = new Set(password).size / password.length > 0.4
  if (!varied) return 1
  if (password.length >= 20 || (password.length >= 14 && kinds >= 2)) return 4
  if (password.length >= 12 || kinds >= 3) return 3
  return 2
}
