/** The letter of a message in an A/B test. */
export function Letter({ children }: { children: string }) {
  return (
    <span className="grid size-5 shrink-0 place-items-center rounded-sm bg-secondary text-caption font-semibold">
      <span className="sr-only">Message </span>
      {children}
    </span>
  )
}
