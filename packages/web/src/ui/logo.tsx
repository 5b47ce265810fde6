import clsx from 'clsx'

/** Three bells on a beam. */
export function Logo({ large }: { large?: boolean }) {
  return (
    <span
      className={clsx(
        'grid shrink-0 place-items-center bg-brand text-brand-foreground',
        large ? 'size-7 rounded-[7px]' : 'size-6 rounded-[6px]',
      )}
    >
      <svg
        aria-hidden
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        className={large ? 'size-4.5' : 'size-4'}
      >
        <path d="M1.75 2.5h12.5M4 2.5v4M8 2.5v6.5M12 2.5v2.5" />
        <circle cx="4" cy="8.4" r="1.9" fill="currentColor" stroke="none" />
        <circle cx="8" cy="11.4" r="2.4" fill="currentColor" stroke="none" />
        <circle cx="12" cy="6.6" r="1.6" fill="currentColor" stroke="none" />
      </svg>
    </span>
  )
}
