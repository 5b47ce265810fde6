import type { SVGProps } from 'react'

/** Our own icon: a bubble with a handset, not the trademark. */
export function HandsetIcon(props: SVGProps<SVGSVGElement>) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      <path d="M12 3a9 9 0 0 0-7.8 13.5L3 21l4.6-1.2A9 9 0 1 0 12 3Z" />
      <path d="M9 8.6c-.6.5-.7 1.6.1 2.9a8 8 0 0 0 3.3 3.2c1.3.7 2.4.5 2.9-.2.4-.6.2-1-.3-1.3l-1-.6c-.4-.2-.7-.1-1 .3-.3.4-.6.4-1 .1a6 6 0 0 1-1.1-1.1c-.3-.4-.3-.7.1-1 .4-.3.5-.6.3-1l-.6-1c-.3-.6-.9-.8-1.7-.3Z" />
    </svg>
  )
}
