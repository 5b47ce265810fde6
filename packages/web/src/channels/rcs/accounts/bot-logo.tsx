/** The logo of a bot as phones show it, or the first letter of its name. */
export function BotLogo({ name, logoUrl, color }: { name: string; logoUrl: string | null; color: string }) {
  const ground = /^#[\da-f]{6}$/i.test(color) ? color : '#5f6368'
  return (
    <span
      aria-hidden
      className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-full font-semibold text-white"
      style={{ background: ground }}
    >
      {logoUrl ? <img src={logoUrl} alt="" className="size-full object-cover" /> : name.slice(0, 1).toUpperCase()}
    </span>
  )
}
